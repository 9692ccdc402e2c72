//! Coup, a game of bluff with a pack of 15.
//!
//! # Theory of operation
//!
//! A turn is an action that may be challenged or blocked; a block may be challenged; the loser of a
//! challenge gives up a card; and only when all this is settled do coins move and the action take
//! effect. Instead of a state for every path through this, the state holds a stack of what is
//! *still owed* ([`Obligation`]), the last of it due now. An action pushes what follows if no one stops
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
//! At a court several seats answer, and several may doubt a block. The same stack holds their answers;
//! what follows by itself is on it, too, so that it alone says how the turn goes on:
//!
//! ```text
//! foreign-aid         end 0, effect 0, answer 2, answer 1
//! pass                end 0, effect 0, answer 2
//! block duke          end 0, effect 0, stand 2 duke, accept 1 duke, accept 0 duke
//! pass, pass          the block stands, the effect is off, and the turn is over
//! ```
//!
//! Cards are held in an order, since programs of the classic dialect ([`classic`]) see and choose
//! one. A seat knows the order of its own hand, and no one else learns it. Every decision of that
//! dialect is a decision here, even with only one answer; [`Game::forced`] lets the referee
//! continue without asking, and all of them count for the length of the game.
//!
//! All that a seat can infer about one other seat is small enough to compute completely: see
//! [`possible_hands`]. About several it is inferred without listing their joint hands, by the module
//! `worlds`.
//!
//! [`Game::forced`]: crate::Game::forced

pub mod classic;
mod game;
mod hand;
mod knowledge;
mod notation;
mod obligation;
mod options;
mod turns;
mod worlds;

pub use game::Coup;
pub use hand::{Character, Counts, Hand, SeenHand};
pub use knowledge::possible_hands;
pub use notation::{Action, Chance, Event, IllegalMove, Move, View};
pub use obligation::Obligation;
pub use options::{CoupRules, CourtSeatCount, Options};
pub use worlds::{chance_to_hold, draw_hands};
