//! Games of Durak that a test plays move by move, in text.

#![allow(dead_code, reason = "each test uses a part of it")]

use rules::durak::{Chance, Durak, Event, Move, Options};
use rules::{BotSeed, Game, Nature, Score, Seat, Turn, seen_by};

pub(crate) fn seat(number: usize) -> Seat {
    Seat::new(number).unwrap()
}

pub(crate) fn nature(seed: u64) -> Nature {
    BotSeed(seed.to_be_bytes()).nature()
}

/// A game with all that happened in it.
#[derive(Clone)]
pub(crate) struct Scene {
    pub(crate) game: Durak,
    pub(crate) events: Vec<Event>,
}

/// Four seats that hold all of a pack of 24; spades are trumps, and seat 0 attacks first.
pub(crate) const FOUR: [&str; 4] =
    ["9C 9D 9H 9S 10C JC", "10D 10H JD JS QC QD", "10S QH KC KD KH AC", "JH QS KS AD AH AS"];

/// Three seats with a pack of 24; spades are trumps, and seat 0 attacks first.
pub(crate) const THREE: [&str; 3] =
    ["9C 9S 10C JC QC KC", "9D 10D 10S JD QD KH", "9H 10H JH JS QH KD"];

/// Two seats with a pack of 36; spades are trumps, and seat 0 attacks first.
pub(crate) const TWO: [&str; 2] = ["6C 6D 6H 7C 7S 10D", "7D 7H 8C 9C JD QS"];

impl Scene {
    /// A game after the deal, with this trump card.
    pub(crate) fn dealt(options: &str, hands: &[&str], trump: &str) -> Scene {
        let mut scene = Scene::new(&format!("seats={} {options}", hands.len()));
        for (seat, hand) in hands.iter().enumerate() {
            scene = scene.then(&format!("deal {seat} {hand}"));
        }
        scene.then(&format!("trump {trump}"))
    }

    pub(crate) fn new(options: &str) -> Scene {
        let options: Options = options.parse().unwrap();
        Scene { game: Durak::new(&options), events: Vec::new() }
    }

    pub(crate) fn four(options: &str) -> Scene {
        Scene::dealt(&format!("deck=24 {options}"), &FOUR, "AS")
    }

    pub(crate) fn three(options: &str) -> Scene {
        Scene::dealt(&format!("deck=24 {options}"), &THREE, "AS")
    }

    pub(crate) fn two(options: &str) -> Scene {
        Scene::dealt(options, &TWO, "AS")
    }

    /// Goes on by moves and chances, separated by `;`. Before a move stands the seat that makes
    /// it: `0 lead 6C; 1 take`.
    pub(crate) fn then(mut self, script: &str) -> Scene {
        for line in script.split(';').map(str::trim) {
            if let Ok(chance) = line.parse::<Chance>() {
                self.game.happen(&chance, &mut self.events).unwrap();
                continue;
            }
            let (who, mv) = line.split_once(' ').unwrap();
            assert_eq!(self.turn().split(' ').next(), Some(who), "before `{line}`");
            let mv: Move = mv.parse().unwrap();
            self.game
                .play(&mv, &mut self.events)
                .unwrap_or_else(|illegal| panic!("{line}: {illegal}"));
        }
        self
    }

    /// The seat on turn and its task, by the view.
    pub(crate) fn turn(&self) -> String {
        self.line("turn")
    }

    /// A line of the view of seat 0, without its key.
    pub(crate) fn line(&self, key: &str) -> String {
        let view = self.game.view(seat(0)).to_string();
        let line = view.lines().find_map(|line| line.strip_prefix(key)).unwrap();
        line.trim().to_owned()
    }

    /// The legal moves, which `check` must let pass.
    pub(crate) fn legal(&self) -> Vec<String> {
        let mut moves = Vec::new();
        let _ = self.game.legal_moves(&mut moves);
        assert!(moves.iter().all(|mv| self.game.check(mv).is_ok()));
        moves.iter().map(ToString::to_string).collect()
    }

    pub(crate) fn refusal(&self, mv: &str) -> String {
        let mv: Move = mv.parse().unwrap();
        let refusal = self.game.check(&mv).unwrap_err().to_string();
        assert_eq!(self.game.clone().play(&mv, &mut Vec::new()).unwrap_err().to_string(), refusal);
        refusal
    }

    /// Events that a seat saw after the first `after`.
    pub(crate) fn visible_to(&self, number: usize, after: usize) -> Vec<String> {
        let events = self.events.iter().skip(after);
        events.filter_map(|event| seen_by(event, seat(number))).map(|e| e.to_string()).collect()
    }

    /// All events after the first `after`.
    pub(crate) fn events(&self, after: usize) -> Vec<String> {
        self.events.iter().skip(after).map(ToString::to_string).collect()
    }

    pub(crate) fn hand(&self, number: usize) -> String {
        self.game.hand(seat(number)).to_string()
    }

    pub(crate) fn scores(&self) -> Option<Vec<Score>> {
        match self.game.turn() {
            Turn::Over(scores) => Some(scores.values().to_vec()),
            Turn::Nature | Turn::Seat(_) => None,
        }
    }

    /// Goes on until the game is over or `stop` says so, nature drawing as it likes.
    pub(crate) fn play_until(
        mut self,
        nature: &mut Nature,
        mut choose: impl FnMut(&Durak, &[Move], &mut Nature) -> Move,
        mut stop: impl FnMut(&Scene) -> bool,
    ) -> Scene {
        loop {
            match self.game.turn() {
                _ if stop(&self) => return self,
                Turn::Over(_) => return self,
                Turn::Nature => {
                    let chance = self.game.sample(nature).unwrap();
                    self.game.happen(&chance, &mut self.events).unwrap();
                }
                Turn::Seat(_) => {
                    let mut moves = Vec::new();
                    let _ = self.game.legal_moves(&mut moves);
                    let mv = choose(&self.game, &moves, nature);
                    self.game.play(&mv, &mut self.events).unwrap();
                }
            }
        }
    }
}

/// Any legal move, each equally likely.
pub(crate) fn any(_: &Durak, moves: &[Move], nature: &mut Nature) -> Move {
    *nature.choose(moves).unwrap()
}
