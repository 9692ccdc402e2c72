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
//!
//! **Rules can be ended.** Somebody kills their process, or the machine stands still or has no memory: that is a
//! [fault of the machine](Fault::is_of_machine). A game that is played is then void, since a game must not depend on
//! who ended its rules and when, and is played again by other rules. A game that is derived again goes on: the same
//! calls give the same state in another instance ([`Renewal`]).

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
mod renewed;
mod table;

pub use crate::renewal::{RENEWALS, Renewal};
pub use crate::rules_id::{CarrierKind, PROTOCOL, RulesId, is_game_name};
use about::Description;
pub use fault::{BrokenRule, Fault, NoAnswer};
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
    /// Says why there is no answer. Then the instance is not asked again.
    fn call(&mut self, call: &str) -> Result<String, NoAnswer>;

    /// Returns true between two games if another one may take it beyond its limit of memory. Then another
    /// instance plays it.
    fn is_spent(&mut self) -> bool {
        false
    }
}

/// A way to start rules, as often as games are played side by side.
pub trait Source: Send + Sync {
    /// Starts an instance.
    ///
    /// # Errors
    ///
    /// Says why none can be started.
    fn start(&self) -> Result<Box<dyn Carrier>, NoAnswer>;
}

/// A game whose rules are carried by a program or a module.
pub struct OwnGame(Arc<Opened>);

/// The rules of a game, which its tables share.
struct Opened {
    id: RulesId,
    about: Description,
    /// Instances between two games, each of which answers as a new one would. They end before their source.
    idle: Mutex<Vec<Box<dyn Carrier>>>,
    source: Box<dyn Source>,
}

impl OwnGame {
    /// Starts the rules once, and asks what game they are for.
    ///
    /// # Errors
    ///
    /// [`Fault`], if they do not start, or do not describe a game.
    pub fn open(id: RulesId, source: Box<dyn Source>) -> Result<OwnGame, Fault> {
        let (carrier, answer) = described(&*source)?;
        let about =
            Description::read(&answer).map_err(|broken| Fault::broken("about", &answer, broken))?;
        // A program waits for nothing: it is started again when a game begins, by a referee that looks
        // after what it starts.
        let idle = match id.carrier {
            CarrierKind::Module => vec![carrier],
            CarrierKind::Program => Vec::new(),
        };
        Ok(OwnGame(Arc::new(Opened { id, about, idle: Mutex::new(idle), source })))
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

/// Starts rules, and asks for their description; other ones where the machine has ended them.
fn described(source: &dyn Source) -> Result<(Box<dyn Carrier>, String), Fault> {
    let mut renewals = 0..RENEWALS;
    loop {
        let described = source.start().map_err(Fault::not_started).and_then(|mut carrier| {
            let answer = carrier.call("about").map_err(|why| Fault::no_answer("about", why))?;
            Ok((carrier, answer))
        });
        match described {
            Err(fault) if fault.is_of_machine() && renewals.next().is_some() => {}
            other => return other,
        }
    }
}

impl Opened {
    /// Calls `new`: first an instance that has played before, if one is idle.
    fn begin(&self, call: &str) -> Result<(Box<dyn Carrier>, String), Fault> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        if let Some(mut carrier) = idle {
            match carrier.call(call) {
                // It may have been ended between two games, and nothing was played yet.
                Err(NoAnswer::Machine(_)) => {}
                Err(why) => return Err(Fault::no_answer(call, why)),
                Ok(answer) => return Ok((carrier, answer)),
            }
        }
        self.begin_anew(call)
    }

    /// Calls `new` of a new instance.
    fn begin_anew(&self, call: &str) -> Result<(Box<dyn Carrier>, String), Fault> {
        let mut carrier = self.source.start().map_err(Fault::not_started)?;
        let answer = carrier.call(call).map_err(|why| Fault::no_answer(call, why))?;
        Ok((carrier, answer))
    }

    /// Keeps an instance after a game of so many inputs. What was only begun says nothing about the memory of a game.
    fn keep(&self, mut carrier: Box<dyn Carrier>, inputs: usize) {
        if inputs == 0 || !carrier.is_spent() {
            self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(carrier);
        }
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
        match OwnTable::try_open(&self.0, &spelt, Renewal::InGame)? {
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

    fn open(&self, options: &str, renewal: Renewal) -> Result<Box<dyn Table>, NotText> {
        let spelt = self.0.about.spelt_options(options)?;
        let seats = self.0.about.seats_of(&spelt)?;
        Ok(match OwnTable::try_open(&self.0, &spelt, renewal)? {
            Ok(table) => Box::new(table),
            Err(fault) => Box::new(OwnTable::failed(&self.0, &spelt, seats, fault)),
        })
    }

    fn position(&self, request: &str) -> Result<Position, BadSample> {
        sample::listed_position(request)
    }
}
