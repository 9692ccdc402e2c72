//! Vectors of single calls, made by an independent implementation: a position, what a program did,
//! and what came of it.

use rules::coup::{Character, Event, SeenHand};
use rules::dialect::Strictness;
use rules::{Answer, Dialect, StandaloneRequest, StopCause, Verdict};
use serde::Deserialize;

use super::{Scene, lines, seat};

const EFFECTS: &str = include_str!("../../../vectors/coup-effects.jsonl");

/// The effects whose cards are those of no pack, four of a kind among them: their decks are not
/// compared.
pub(crate) const NO_PACK: [u32; 3] = [54, 58, 108];

/// The faults, each with what the vectors call it and the verdict that it gets. All others are well
/// done.
pub(crate) const FAULTS: [(u32, &str, Verdict); 17] = [
    (70, "illegal_exchange", Verdict::Illegal),
    (72, "illegal_exchange", Verdict::Illegal),
    (74, "illegal_exchange", Verdict::Illegal),
    (78, "illegal_exchange", Verdict::Illegal),
    (80, "illegal_exchange", Verdict::Illegal),
    (82, "illegal_exchange", Verdict::Illegal),
    (90, "exit_status", Verdict::Crash),
    (94, "modified_file", Verdict::NoAnswer),
    (96, "modified_file", Verdict::Illegal),
    (98, "illegal_move", Verdict::Illegal),
    (102, "modified_file", Verdict::Malformed),
    (108, "illegal_move", Verdict::Illegal),
    (112, "illegal_move", Verdict::Illegal),
    (114, "illegal_move", Verdict::Illegal),
    (116, "illegal_move", Verdict::Illegal),
    (120, "illegal_move", Verdict::Illegal),
    (132, "illegal_move", Verdict::Illegal),
];

/// The rows that the script of the contest let pass or died of: a program must append exactly one
/// of the legal texts.
pub(crate) const STRICT: [u32; 8] = [96, 98, 108, 112, 114, 116, 120, 132];

/// One call and what came of it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Effect {
    pub(crate) id: u32,
    pub(crate) note: String,
    pub(crate) history: String,
    pub(crate) hand: String,
    pub(crate) opp_hand: String,
    pub(crate) coins: u32,
    pub(crate) opp_coins: u32,
    pub(crate) deck: String,
    pub(crate) args: Vec<String>,
    pub(crate) append: String,
    pub(crate) file_after: String,
    pub(crate) stdout: String,
    pub(crate) exit: i32,
    pub(crate) after: After,
    pub(crate) result: Option<Ended>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct After {
    pub(crate) hand: String,
    pub(crate) opp_hand: String,
    pub(crate) coins: u32,
    pub(crate) opp_coins: u32,
    pub(crate) deck: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Ended {
    pub(crate) winner: String,
    pub(crate) reason: String,
}

/// All of them.
pub(crate) fn read() -> Vec<Effect> {
    EFFECTS.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

impl Effect {
    /// The number of the seat that is called: on a line of even length, or a new one, it is the
    /// one whose turn it is.
    pub(crate) fn caller(&self) -> usize {
        let actor = lines::actor(&self.history).index();
        if lines::last_line(&self.history).len().is_multiple_of(2) { actor } else { 1 - actor }
    }

    /// The cards that will be drawn, in that order.
    pub(crate) fn draws(&self) -> impl Iterator<Item = Character> + use<> {
        let deck: Vec<Character> = lines::cards_of(&self.deck).collect();
        deck.into_iter().rev()
    }

    /// The position, before any draw.
    pub(crate) fn scene(&self) -> Scene {
        let by_seat = |own, other| if self.caller() == 0 { [own, other] } else { [other, own] };
        let hands = by_seat(lines::hand(&self.hand), lines::hand(&self.opp_hand));
        let coins = if self.caller() == 0 {
            [self.coins, self.opp_coins]
        } else {
            [self.opp_coins, self.coins]
        };
        let lost = lines::lost(hands, &self.deck);
        assert!(lost.is_some() || NO_PACK.contains(&self.id), "{self:?}");
        lines::at(&self.history, hands, lost.unwrap_or_default(), coins)
    }

    /// The position as the seat that is called knows it, if both seats still have the cards that
    /// they were dealt: then the deals that the vector leaves out are known.
    pub(crate) fn sample(&self) -> Option<StandaloneRequest> {
        let as_dealt = self.hand.len() == 2 && self.opp_hand.len() == 2;
        if !as_dealt || lines::shape(&self.history).contains(|letter| "X~^*!$".contains(letter)) {
            return None;
        }
        let mut scene = self.scene();
        let deal = |number| {
            let (to, hand) = (seat(number), scene.game.hand(seat(number)));
            Event::Deal { to, cards: SeenHand::Seen(hand) }
        };
        scene.events.splice(..0, [deal(0), deal(1)]);
        scene.draw_from(&mut self.draws());
        let sample = StandaloneRequest::read(&scene.request().to_string()).unwrap();
        assert!(sample.prompt(Dialect::Classic(Strictness::Strict)).is_some(), "{self:?}");
        Some(sample)
    }

    pub(crate) fn answer(&self) -> Answer {
        let (file, output) = (self.file_after.clone().into(), self.stdout.clone().into());
        match self.exit {
            0 => Answer::Classic { file, output },
            exit => Answer::Stopped { by: StopCause::Exit(exit), output },
        }
    }

    /// Name of the fault in the vectors, and the verdict for it.
    pub(crate) fn fault(&self) -> Option<(&'static str, Verdict)> {
        let fault = FAULTS.iter().find(|(id, ..)| *id == self.id);
        fault.map(|(_, reason, verdict)| (*reason, *verdict))
    }

    /// The verdict that the call must get.
    pub(crate) fn verdict(&self) -> Verdict {
        self.fault().map_or(Verdict::Ok, |(_, verdict)| verdict)
    }
}
