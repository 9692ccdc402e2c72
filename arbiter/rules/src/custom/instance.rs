//! Instances of rules, those of a game that are idle, and the calls that others get in the place of lost ones.

use std::sync::{Mutex, PoisonError};

use crate::dyn_rules::{RENEWALS, Renewal, RulesId};

use super::about::Description;
use super::fault::{Fault, NoAnswer};
use crate::digest::Digest;

/// One instance of rules, which holds the state of one game at a time.
pub trait RulesInstance: Send {
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
pub trait RulesSource: Send + Sync {
    /// Starts an instance.
    ///
    /// # Errors
    ///
    /// Says why none can be started.
    fn start(&self) -> Result<Box<dyn RulesInstance>, NoAnswer>;
}

/// The rules of a game, which its tables share.
pub(super) struct OpenRules {
    pub(super) id: RulesId,
    pub(super) about: Description,
    /// Instances between two games, each of which answers as a new one would. They end before their source.
    pub(super) idle: Mutex<Vec<Box<dyn RulesInstance>>>,
    pub(super) source: Box<dyn RulesSource>,
}

impl OpenRules {
    /// Calls `new`: first an instance that has played before, if one is idle.
    pub(super) fn begin(&self, call: &str) -> Result<(Box<dyn RulesInstance>, String), Fault> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        if let Some(mut instance) = idle {
            match instance.call(call) {
                // It may have been ended between two games, and nothing was played yet.
                Err(NoAnswer::Machine(_)) => {}
                Err(why) => return Err(Fault::no_answer(call, why)),
                Ok(answer) => return Ok((instance, answer)),
            }
        }
        self.begin_anew(call)
    }

    /// Calls `new` of a new instance.
    fn begin_anew(&self, call: &str) -> Result<(Box<dyn RulesInstance>, String), Fault> {
        let mut instance = self.source.start().map_err(Fault::not_started)?;
        let answer = instance.call(call).map_err(|why| Fault::no_answer(call, why))?;
        Ok((instance, answer))
    }

    /// Keeps an instance after a game of so many inputs. What was only begun says nothing about the memory of a game.
    pub(super) fn keep(&self, mut instance: Box<dyn RulesInstance>, inputs: usize) {
        if inputs == 0 || !instance.is_spent() {
            self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(instance);
        }
    }
}

/// Starts rules, and asks for their description; other ones where the machine has ended them.
pub(super) fn described(
    source: &dyn RulesSource,
) -> Result<(Box<dyn RulesInstance>, String), Fault> {
    let mut renewals = 0..RENEWALS;
    loop {
        let described = source.start().map_err(Fault::not_started).and_then(|mut instance| {
            let answer = instance.call("about").map_err(|why| Fault::no_answer("about", why))?;
            Ok((instance, answer))
        });
        match described {
            Err(fault) if fault.is_of_machine() && renewals.next().is_some() => {}
            other => return other,
        }
    }
}

/// The calls that have led to the state of a game, with the digests of their answers. Other rules get them where the
/// machine has ended those that played the game.
pub(super) struct Calls {
    renewal: Renewal,
    made: Vec<(String, Digest)>,
    renewals: u32,
}

impl Calls {
    /// The calls of a game before its first one.
    pub(super) fn new(renewal: Renewal) -> Calls {
        Calls { renewal, made: Vec::new(), renewals: 0 }
    }

    /// Adds a call that has changed the state.
    pub(super) fn add(&mut self, call: &str, answer: &str) {
        if self.renewal == Renewal::InGame {
            self.made.push((call.to_owned(), Digest::hash(answer.as_bytes())));
        }
    }

    /// Makes all calls anew, and then this one, which was not answered; gives its answer and the new instance.
    ///
    /// # Errors
    ///
    /// The fault, if other rules may not or cannot mend it.
    pub(super) fn answer_after_restart(
        &mut self,
        game: &OpenRules,
        call: &str,
        fault: Fault,
    ) -> Result<(Box<dyn RulesInstance>, String), Fault> {
        let mut fault = fault;
        while self.renewal == Renewal::InGame && fault.is_of_machine() && self.renewals < RENEWALS {
            self.renewals += 1;
            match self.restarted(game, call) {
                Ok(answered) => return Ok(answered),
                Err(other) => fault = other,
            }
        }
        Err(fault)
    }

    fn restarted(
        &self,
        game: &OpenRules,
        call: &str,
    ) -> Result<(Box<dyn RulesInstance>, String), Fault> {
        let Some(((begin, begun), later)) = self.made.split_first() else {
            return game.begin_anew(call);
        };
        let same = |call: &str, digest: &Digest, answer: &str| match Digest::hash(answer.as_bytes())
            == *digest
        {
            true => Ok(()),
            false => Err(Fault::other_answer(call)),
        };
        let (mut instance, answer) = game.begin_anew(begin)?;
        same(begin, begun, &answer)?;
        let mut answered =
            |call: &str| instance.call(call).map_err(|why| Fault::no_answer(call, why));
        for (call, digest) in later {
            same(call, digest, &answered(call)?)?;
        }
        let answer = answered(call)?;
        Ok((instance, answer))
    }
}
