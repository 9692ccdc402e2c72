//! The calls of a game that other rules get where the machine has ended those that played it.

use crate::digest::Digest;

use super::fault::Fault;
use super::instance::{OpenRules, RulesInstance};
use crate::renewal::{RENEWALS, Renewal};

/// The calls that have led to the state of a game, with the digests of their answers.
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
    pub(super) fn answered_anew(
        &mut self,
        game: &OpenRules,
        call: &str,
        fault: Fault,
    ) -> Result<(Box<dyn RulesInstance>, String), Fault> {
        let mut fault = fault;
        while self.renewal == Renewal::InGame && fault.is_of_machine() && self.renewals < RENEWALS {
            self.renewals += 1;
            match self.made_anew(game, call) {
                Ok(answered) => return Ok(answered),
                Err(other) => fault = other,
            }
        }
        Err(fault)
    }

    fn made_anew(
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
