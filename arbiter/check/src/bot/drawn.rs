//! Requests of a game that comes with no samples, such as a custom game: those of one random game.

use std::cell::RefCell;
use std::io;
use std::time::Duration;

use rules::own::Renewal;
use rules::{GameKind, Outcome, PerSeat, Prompt, Referee, Terms};

use crate::bot::context::{Check, Stopped, machine};
use crate::bot::games::Opponent;
use contest::playing::{Player, Reply, game};

/// The names of the requests, in the order of the game.
const NAMES: [&str; 4] = ["first-move", "early-move", "late-move", "last-move"];

/// The most bytes of requests that are kept: those of a game with a long history are long.
const MOST_KEPT: usize = 64 << 20;

/// A built-in player that keeps what it is asked.
struct Keeper<'a> {
    player: Opponent,
    requests: &'a RefCell<Vec<String>>,
}

impl Player for Keeper<'_> {
    fn new_game(&mut self) -> io::Result<()> {
        self.player.new_game()
    }

    fn ask(&mut self, prompt: &Prompt, allowed: Option<Duration>) -> Reply {
        if let Prompt::Request(request) = prompt {
            let mut kept = self.requests.borrow_mut();
            if kept.iter().map(String::len).sum::<usize>() < MOST_KEPT {
                kept.push(request.clone());
            }
        }
        self.player.ask(prompt, allowed)
    }
}

/// Plays a random game, and gives some of its requests with their names.
pub(super) fn requests(
    check: &Check<'_>,
    kind: &GameKind,
    options: &str,
) -> Result<Vec<(&'static str, String)>, Stopped> {
    let set_up = |error| machine("cannot set up a game", error);
    let seats = kind.seats(options).map_err(set_up)?;
    let seed = check.seed;
    let terms = Terms::even(seed.name(0), seats, check.time_ms(), seed.bots(0));
    let mut referee = Referee::with(kind, options, terms, Renewal::InGame).map_err(set_up)?;
    let requests: RefCell<Vec<String>> = RefCell::default();
    let keeper = |_| Ok(Keeper { player: Opponent::new(kind)?, requests: &requests });
    let mut keepers = (0..seats).map(keeper).collect::<Result<Vec<_>, Stopped>>()?;
    let players: Vec<&mut dyn Player> =
        keepers.iter_mut().map(|keeper| keeper as &mut dyn Player).collect();
    let mut players: PerSeat<&mut dyn Player> = players.into();
    let played = game::play(&mut referee, &mut seed.nature(0), &mut players, &mut |_| {});
    if let Outcome::Void { reason } = played.outcome {
        return Err(Stopped::Machine(reason));
    }
    drop(players);
    drop(keepers);
    let mut requests: Vec<String> = requests.into_inner();
    let last = requests.len().saturating_sub(1);
    let place = |part| last * part / (NAMES.len() - 1);
    let mut places: Vec<(&'static str, usize)> =
        NAMES.into_iter().enumerate().map(|(part, name)| (name, place(part))).collect();
    places.dedup_by_key(|(_, place)| *place);
    let taken = |(name, place): (&'static str, usize)| {
        Some((name, std::mem::take(requests.get_mut(place)?)))
    };
    Ok(places.into_iter().filter_map(taken).collect())
}
