//! Coup, a game of bluff with a pack of 15.
//!
//! # Theory of operation
//!
//! A turn is an action that may be challenged or blocked; a block may be challenged; the loser of a
//! challenge gives up a card; and only when all this is settled do coins move and the action take
//! effect. Instead of a state for every path through this, the state holds a stack of what is
//! *still owed* ([`Debt`]), the last of it due now. An action pushes what follows if no one stops
//! it, and on top of that the answer to it:
//!
//! ```text
//! assassinate 1       end 0, pay 0, answer 1
//! challenge           end 0, pay 0, prove 0 assassin
//! show assassin       end 0, pay 0, lose 1, lose 1, replace 0 assassin
//! (nature draws)      end 0, pay 0, lose 1, lose 1
//! lose duke           the second loss follows by itself, then the payment; the game is over
//! ```
//!
//! A block that stands takes `end` out of the stack, but not `pay`; an action whose claim was
//! false takes everything. When the stack is empty, the other seat owes its action.
//!
//! Cards are held in an order, since programs of the classic dialect ([`classic`]) see and choose
//! one. A seat knows the order of its own hand, and no one else learns it. Every decision of that
//! dialect is a decision here, even with only one answer; [`Game::forced`] lets the referee
//! continue without asking, and all of them count for the length of the game.
//!
//! All that a seat can infer is small enough to compute completely: see [`possible_hands`].
//!
//! [`Game::forced`]: crate::Game::forced

pub mod classic;
mod debt;
mod event;
mod game;
mod hand;
mod knowledge;
mod legality;
mod moves;
mod narration;
mod turns;
mod view;

pub use debt::Debt;
pub use event::{Chance, Event};
pub use game::{Coup, Options, Rules};
pub use hand::{Character, Counts, Faces, Hand};
pub use knowledge::possible_hands;
pub use legality::Illegal;
pub use moves::{Action, Move};
pub use view::View;
