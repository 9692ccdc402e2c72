//! Durak, a beating game with packs of 24, 32, 36 or 52 cards.
//!
//! # Theory of operation
//!
//! A game is a row of bouts. In a bout one seat attacks, the next one defends, and others may throw
//! cards in; then hands are filled up from the talon, and who attacks next depends on whether the
//! defender took. The state holds where the cards are, and the [`Bout`] that is going on, which is
//! waiting for one decision of one seat ([`Phase`]):
//!
//! ```text
//!           ┌────── throw ──────┐
//!           ↓                   │
//! lead → defend ── beat ──→ throw, seat by seat ── all done ──→ discard
//!        ↺ transfer, beat
//!           └───── take ──→ load, seat by seat ─── all done ──→ pick up
//! ```
//!
//! Where a bout can have no more cards, it ends without asking anyone. Every seat that is offered
//! to throw gives an answer, and every answer is told: a seat that holds nothing it could throw is
//! not asked ([`Game::forced`]), and its `done` is the same event, and counts alike, as that of a
//! seat that chose it. So no one learns from the lack of a question what it holds.
//!
//! The state has no order of the talon: nature draws from what lies in no hand, not on the table
//! and not among the discards ([`Durak::talon`]), except the trump card, which is always the last.
//! It does hold what everyone has seen of each hand ([`Durak::known`]): cards that were taken up,
//! the lowest trump of the first attacker, the trump card. All of it follows from the history, and
//! a view tells it so that bots need not work it out.
//!
//! Hands change only before the eyes of all once the talon is empty. So whether the start of a
//! bout has come before, which makes a draw at the third time, is known to all as well. Beaten
//! cards never come back, and so only starts since the last discard are kept.
//!
//! How a seat that was shown a game can imagine what it was not shown is in the module `origins`.
//!
//! [`Game::forced`]: crate::Game::forced

mod bout;
mod chance;
mod deck;
mod event;
mod game;
mod illegal;
mod legality;
mod moves;
mod narration;
mod options;
mod origins;
mod resample;
mod turns;
mod view;

pub use bout::{Bout, Pairs, Phase, beats};
pub use chance::Chance;
pub use deck::Deck;
pub use event::Event;
pub use game::Durak;
pub use illegal::Illegal;
pub use moves::Move;
pub use options::{FirstLimit, HAND, Options, Throwers, Transfer};
pub use view::{Now, View};
