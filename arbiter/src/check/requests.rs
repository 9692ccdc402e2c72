//! The sample requests of a game, as they are and varied.

use std::cmp::Reverse;

use rules::{Dialect, GameKind, Ruling, Sample, Verdict};

use crate::check::asking::{Asker, Exchange};
use crate::check::evidence::{fault, shortened, unlike};
use crate::check::samples::{self, SampleText};
use crate::check::variation::{longer_by, with_time, with_unknown_keys};
use crate::check::{Check, Listener, Step, Stopped, machine};

/// How many samples are asked again.
const AGAIN: usize = 4;

/// How many bytes a pipe holds.
const PIPE: usize = 64 << 10;

/// Makes all steps with the sample requests of one game.
pub(super) fn requests(
    check: &Check<'_>,
    kind: GameKind,
    asker: &mut Asker,
    listener: &mut dyn Listener,
) -> Result<(), Stopped> {
    let mut steps = Steps { check, kind, asker, listener };
    let mut known = Vec::new();
    for sample in samples::of(kind) {
        known.extend(steps.sample(sample)?);
    }
    let is_native = check.contender.dialect == Dialect::Native;
    if is_native {
        let longest = known.iter().max_by_key(|known| known.request.len());
        steps.long_request(longest)?;
    }
    // Where there is most to choose from, chance shows most.
    known.sort_by_key(|known| Reverse(known.sample.legal().len()));
    known.truncate(AGAIN);
    let repeats = steps.same_again(&known)?;
    // Only a request can have more lines than a bot knows.
    if is_native { steps.unknown_keys(&known, repeats) } else { Ok(()) }
}

/// A sample request that was answered legally.
struct Known {
    name: &'static str,
    request: String,
    sample: Sample,
    /// The answer, without the white space around it.
    answer: String,
}

/// Whether the bot gives the same answer to the same request, as far as is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Repeats {
    Always,
    NotAlways,
}

/// An answer to a variation, or the step that says what is wrong with it.
type Varied = Result<Exchange, Box<Step>>;

struct Steps<'a, 'b> {
    check: &'a Check<'a>,
    kind: GameKind,
    asker: &'a mut Asker,
    listener: &'b mut dyn Listener,
}

impl Steps<'_, '_> {
    /// The name of a step of this game, which is looked at now.
    fn begin(&mut self, name: &str) -> String {
        let name = format!("{} {name}", self.kind);
        self.listener.begins(&name);
        self.asker.begin(&name);
        name
    }

    /// Asks a sample request, and keeps it if the answer is legal.
    fn sample(&mut self, text: &SampleText) -> Result<Option<Known>, Stopped> {
        let name = self.begin(text.name);
        let request = with_time(text.text, self.check.time_ms());
        let sample = Sample::of(&request).map_err(|error| machine(text.name, error))?;
        let (exchange, ruling) = self.asker.ask_afresh(&request, &sample)?;
        if ruling.verdict != Verdict::Ok {
            let step = self.fault(&name, "", (&exchange, &ruling), &sample);
            self.listener.found(step)?;
            return Ok(None);
        }
        let answer = exchange.played();
        let step = Step::passed(name, shortened(&answer)).taking(exchange.observed.wall);
        self.listener.found(step)?;
        Ok(Some(Known { name: text.name, request, sample, answer }))
    }

    /// Asks a request, made longer by more than a pipe holds.
    fn long_request(&mut self, longest: Option<&Known>) -> Result<(), Stopped> {
        let name = self.begin("long request");
        let Some(known) = longest else {
            return Ok(self.listener.found(nothing_known(&name))?);
        };
        let request = longer_by(&known.request, PIPE);
        let step = match self.vary(&name, known, &request)? {
            Ok(_) => Step::passed(&name, format!("{} bytes", request.len())),
            Err(failed) => *failed,
        };
        Ok(self.listener.found(step)?)
    }

    /// Asks the same again.
    fn same_again(&mut self, known: &[Known]) -> Result<Repeats, Stopped> {
        let name = self.begin("same answer twice");
        let mut repeats = Repeats::Always;
        let mut step = well(&name, known);
        for known in known {
            match self.vary(&name, known, &known.request)? {
                Ok(exchange) if exchange.played() == known.answer => {}
                Ok(exchange) => {
                    let (first, second) = (shortened(&known.answer), shortened(&exchange.played()));
                    let sample = known.name;
                    let note = format!(
                        "not deterministic: {sample} was answered `{first}`, then `{second}`"
                    );
                    repeats = Repeats::NotAlways;
                    step = Step::warning(&name, note);
                }
                Err(failed) => {
                    self.listener.found(*failed)?;
                    return Ok(Repeats::NotAlways);
                }
            }
        }
        self.listener.found(step)?;
        Ok(repeats)
    }

    /// Asks the same with lines added that must be skipped.
    fn unknown_keys(&mut self, known: &[Known], repeats: Repeats) -> Result<(), Stopped> {
        let name = self.begin("unknown keys");
        for known in known {
            let varied = self.vary(&name, known, &with_unknown_keys(&known.request))?;
            let step = match varied {
                Ok(exchange) if repeats == Repeats::Always && exchange.played() != known.answer => {
                    let sample = known.name;
                    let note = format!("{sample}: another answer because of lines to be skipped");
                    unlike(&name, note, &exchange, &known.answer)
                }
                Ok(_) => continue,
                Err(failed) => *failed,
            };
            return Ok(self.listener.found(step)?);
        }
        Ok(self.listener.found(well(&name, known))?)
    }

    fn vary(&mut self, name: &str, known: &Known, request: &str) -> Result<Varied, Stopped> {
        let (exchange, ruling) = self.asker.ask_afresh(request, &known.sample)?;
        if ruling.verdict == Verdict::Ok {
            return Ok(Ok(exchange));
        }
        let place = format!("{}, ", known.name);
        Ok(Err(Box::new(self.fault(name, &place, (&exchange, &ruling), &known.sample))))
    }

    fn fault(
        &self,
        name: &str,
        place: &str,
        answer: (&Exchange, &Ruling),
        sample: &Sample,
    ) -> Step {
        fault(name, place, answer, Some(sample), &self.check.contender.limits)
    }
}

/// A step in which all of these were answered well.
fn well(name: &str, known: &[Known]) -> Step {
    match known.len() {
        0 => nothing_known(name),
        1 => Step::passed(name, "1 request"),
        count => Step::passed(name, format!("{count} requests")),
    }
}

fn nothing_known(name: &str) -> Step {
    Step::skipped(name, "there is no legal answer to compare with")
}
