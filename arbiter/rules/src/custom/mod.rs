//! Custom games: rules that come with a contest and are not compiled in.
//!
//! # Theory of operation
//!
//! Rules speak the protocol of `docs/reference/rules-protocol.md`: a call is a line, an answer is some lines. A
//! [`RulesInstance`] is one instance of such rules, a program or a module; this crate starts none and only knows that
//! it answers. [`CustomGame`] is the game: its description, and instances that are idle between games. `table.rs` plays
//! one game with one instance. Every answer tells the whole state, so the table asks the instance only when something
//! changes, and keeps what the last answer told.
//!
//! **Rules are strangers.** Nothing that they answer is trusted: [`answer`] checks every line and every
//! limit. What breaks the protocol is a [`RulesFault`]. It ends the game and charges no bot.
//!
//! **Rules can be ended.** Somebody kills their process, or the machine stands still or has no memory: that is a
//! [fault of the machine](RulesFault::is_of_machine). A game that is played is then void, since a game must not depend on
//! who ended its rules and when, and is played again by other rules. A game that is derived again goes on: the same
//! calls give the same state in another instance ([`RestartPolicy`]).

pub mod answer;
mod fault;
pub mod instance;
mod table;

pub use crate::dyn_rules::{
    CustomRulesKind, PROTOCOL, RENEWALS, RestartPolicy, RulesId, is_game_name,
};
pub use answer::{LONGEST_ANSWER, LONGEST_HISTORY};
pub use fault::{ChancePool, NoAnswer, ProtocolError, RulesFault};
pub use instance::{RulesInstance, RulesSource};
pub use table::MOST_INPUTS;

use std::fmt;
use std::sync::{Arc, Mutex};

use crate::dialect::Dialect;
use crate::dyn_rules::{GameInfo, RequestPosition, Rules, StandaloneRequestError, listed_position};
use crate::kind::GameKind;
use crate::seat::Score;
use crate::table::Table;
use crate::text::NotText;
use instance::{Description, OpenRules, described};
use table::CustomTable;

/// A game whose rules are carried by a program or a module.
pub struct CustomGame(Arc<OpenRules>);

impl CustomGame {
    /// Starts the rules once, and asks what game they are for.
    ///
    /// # Errors
    ///
    /// [`RulesFault`], if they do not start, or do not describe a game.
    pub fn open(id: RulesId, source: Box<dyn RulesSource>) -> Result<CustomGame, RulesFault> {
        let (instance, answer) = described(&*source)?;
        let about = Description::read(&answer)
            .map_err(|broken| RulesFault::broken("about", &answer, broken))?;
        // A program waits for nothing: it is started again when a game begins, by a referee that looks
        // after what it starts.
        let idle = match id.carrier {
            CustomRulesKind::Module => vec![instance],
            CustomRulesKind::Program => Vec::new(),
        };
        Ok(CustomGame(Arc::new(OpenRules { id, about, idle: Mutex::new(idle), source })))
    }

    /// The game as a value that everything above knows.
    pub fn into_kind(self) -> GameKind {
        GameKind::custom(Arc::new(self))
    }

    /// Its description.
    pub fn description(&self) -> &Description {
        &self.0.about
    }
}

impl fmt::Debug for CustomGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CustomGame").field("id", &self.0.id).finish_non_exhaustive()
    }
}

impl Rules for CustomGame {
    fn about(&self) -> GameInfo<'_> {
        let Description { name, title, about, options_line, help, .. } = &self.0.about;
        GameInfo { name, title, about, options: options_line, rules: help, counts: &[] }
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
        match CustomTable::try_open(&self.0, &spelt, RestartPolicy::InGame)? {
            Ok(_) => Ok(spelt),
            // The first game says so, and stops.
            Err(_) => Ok(spelt),
        }
    }

    fn seats(&self, options: &str) -> Result<usize, NotText> {
        self.0.about.spelt_options(options).and_then(|spelt| self.0.about.seats_of(&spelt))
    }

    fn spelt(&self, text: &str) -> Option<String> {
        fault::is_text(text).then(|| text.to_owned())
    }

    fn open(&self, options: &str, renewal: RestartPolicy) -> Result<Box<dyn Table>, NotText> {
        let spelt = self.0.about.spelt_options(options)?;
        let seats = self.0.about.seats_of(&spelt)?;
        Ok(match CustomTable::try_open(&self.0, &spelt, renewal)? {
            Ok(table) => Box::new(table),
            Err(fault) => Box::new(CustomTable::failed(&self.0, &spelt, seats, fault)),
        })
    }

    fn position(&self, request: &str) -> Result<RequestPosition, StandaloneRequestError> {
        listed_position(request)
    }
}
