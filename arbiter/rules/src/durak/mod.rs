//! Durak, a beating game with packs of 24, 32, 36 or 52 cards.
//!
//! # Theory of operation
//!
//! A game is a series of bouts. In a bout one seat attacks, the next one defends, and others may
//! throw cards in; then hands are filled up from the talon, and who attacks next depends on whether
//! the defender took. The state holds where the cards are, and the current [`Bout`], which waits
//! for one decision of one seat ([`Phase`]):
//!
//! ```text
//!           ┌────── throw ──────┐
//!           ↓                   │
//! lead → defend ── beat ──→ throw, seat by seat ── all done ──→ discard
//!        ↺ transfer, beat
//!           └───── take ──→ load, seat by seat ─── all done ──→ pick up
//! ```
//!
//! If a bout can have no more cards, it ends without asking anyone. Every seat that may throw gives
//! an answer, and every answer is public. A seat that can throw nothing is not asked
//! ([`Game::forced`]), but its `done` is the same event, and counts the same, as a chosen one. So
//! the missing question does not reveal its hand.
//!
//! The state has no order of the talon: nature draws from the cards that are not in a hand, on the
//! table or among the discards ([`Durak::talon`]), except the trump card, which is always the last.
//! It does hold what everyone has seen of each hand ([`Durak::seen_cards`]): cards that were taken up,
//! the lowest trump of the first attacker, the trump card. All of this follows from the history,
//! but a view tells it so that bots need not compute it.
//!
//! Once the talon is empty, hands change only in public. So everyone knows whether the start of a
//! bout has occurred before, which is a draw at the third time. Beaten cards never come back, so
//! only starts since the last discard are kept.
//!
//! The module `origins` imagines what a seat was not shown.
//!
//! [`Game::forced`]: crate::Game::forced

mod bout;
mod game;
mod notation;
mod options;
mod origins;
mod turns;

pub use bout::{Bout, Pairs, Phase, beats};
pub use game::Durak;
pub use notation::{Chance, Event, IllegalMove, Move, View, ViewStage};
pub use options::{Deck, FirstLimit, HAND, Options, Throwers, Transfer};
