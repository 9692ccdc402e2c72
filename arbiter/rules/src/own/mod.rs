//! Games of one's own: rules that come with a contest and are not compiled in.
//!
//! # Theory of operation
//!
//! Rules speak the protocol of `docs/reference/rules-protocol.md`: a call is a line, an answer is some lines. A
//! [`Carrier`] is one instance of such rules, a program or a module; this crate starts none and only knows that it
//! answers. [`OwnGame`] is the game: its description, and carriers that are idle between games. `table.rs` plays one
//! game with one carrier. Every answer tells the whole state, so the table asks the carrier only when something
//! changes, and keeps what the last answer told.
//!
//! **Rules are strangers.** Nothing that they answer is trusted: [`answer`] and [`about`] check every line and every
//! limit. What breaks the protocol is a [`Fault`]. It ends the game and charges no bot.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use crate::dialect::Dialect;
use crate::kind::{self, GameKind, Rules};
use crate::sample::{self, BadSample, Position};
use crate::score::Score;
use crate::table::Table;
use crate::text::NotText;

pub mod about;
pub mod answer;
mod fault;
mod grammar;
mod history;
mod pool;
mod table;

pub use crate::rules_id::{CarrierKind, PROTOCOL, RulesId, is_game_name};
use about::Description;
pub use fault::{BrokenRule, Fault};
pub use pool::Pool;
use table::OwnTable;

/// The most bytes of an answer of rules.
pub const LONGEST_ANSWER: usize = 1 << 20;

/// The most bytes of all events of a game.
pub const LONGEST_HISTORY: usize = 4 << 20;

/// The most inputs in a game of one's own.
pub const MOST_INPUTS: usize = 20_000;

/// One instance of rules, which holds the state of one game at a time.
pub trait Carrier: Send {
    /// Answers a call, a line without its line feed, by whole lines without the empty one at the end.
    ///
    /// # Errors
    ///
    /// Says in one line why there is no answer. Then the instance is not asked again.
    fn call(&mut self, call: &str) -> Result<String, String>;
}

/// A way to start rules, as often as games are played side by side.
pub trait Source: Send + Sync {
    /// Starts an instance.
    ///
    /// # Errors
    ///
    /// Says in one line why none can be started.
    fn start(&self) -> Result<Box<dyn Carrier>, String>;
}

/// A game whose rules are carried by a program or a module.
pub struct OwnGame(Arc<Opened>);

/// The rules of a game, which its tables share.
struct Opened {
    id: RulesId,
    about: Description,
    source: Box<dyn Source>,
    /// Instances between two games, each of which answers as a new one would.
    idle: Mutex<Vec<Box<dyn Carrier>>>,
}

impl OwnGame {
    /// Starts the rules once, and asks what game they are for.
    ///
    /// # Errors
    ///
    /// [`Fault`], if they do not start, or do not describe a game.
    pub fn open(id: RulesId, source: Box<dyn Source>) -> Result<OwnGame, Fault> {
        let mut carrier = source.start().map_err(Fault::not_started)?;
        let answer = carrier.call("about").map_err(|problem| Fault::no_answer("about", problem))?;
        let about =
            Description::read(&answer).map_err(|broken| Fault::broken("about", &answer, broken))?;
        // A program waits for nothing: it is started again when a game begins, by a referee that looks
        // after what it starts.
        let idle = match id.carrier {
            CarrierKind::Module => vec![carrier],
            CarrierKind::Program => Vec::new(),
        };
        Ok(OwnGame(Arc::new(Opened { id, about, source, idle: Mutex::new(idle) })))
    }

    /// The game as a value that everything above knows.
    pub fn into_kind(self) -> GameKind {
        GameKind::own(Arc::new(self))
    }

    /// Its description.
    pub fn description(&self) -> &Description {
        &self.0.about
    }
}

impl Opened {
    fn take_carrier(&self) -> Result<Box<dyn Carrier>, Fault> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        idle.map_or_else(|| self.source.start().map_err(Fault::not_started), Ok)
    }

    fn keep(&self, carrier: Box<dyn Carrier>) {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(carrier);
    }
}

impl fmt::Debug for OwnGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OwnGame").field("id", &self.0.id).finish_non_exhaustive()
    }
}

impl Rules for OwnGame {
    fn about(&self) -> kind::About<'_> {
        let Description { name, title, about, options_line, help, .. } = &self.0.about;
        kind::About { name, title, about, options: options_line, rules: help, counts: &[] }
    }

    fn rules_id(&self) -> Option<RulesId> {
        Some(self.0.id)
    }

    fn dialects(&self) -> &[Dialect] {
        &[Dialect::Native]
    }

    fn most_points(&self) -> Option<Score> {
        self.0.about.most
    }

    fn check_options(&self, options: &str) -> Result<String, NotText> {
        let spelt = self.0.about.spelt_options(options)?;
        match OwnTable::try_open(&self.0, &spelt)? {
            Ok(_) => Ok(spelt),
            // The first game says so, and stops.
            Err(_) => Ok(spelt),
        }
    }

    fn seats(&self, options: &str) -> Result<usize, NotText> {
        self.0.about.spelt_options(options).and_then(|spelt| self.0.about.seats_of(&spelt))
    }

    fn spelt(&self, text: &str) -> Option<String> {
        grammar::is_text(text).then(|| text.to_owned())
    }

    fn open(&self, options: &str) -> Result<Box<dyn Table>, NotText> {
        let spelt = self.0.about.spelt_options(options)?;
        let seats = self.0.about.seats_of(&spelt)?;
        Ok(match OwnTable::try_open(&self.0, &spelt)? {
            Ok(table) => Box::new(table),
            Err(fault) => Box::new(OwnTable::failed(&self.0, &spelt, seats, fault)),
        })
    }

    fn position(&self, request: &str) -> Result<Position, BadSample> {
        sample::listed_position(request)
    }
}
