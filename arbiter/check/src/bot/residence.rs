//! The check that a resident bot answers as it would if it were started for each move.
//!
//! Its answers in games, after the first request of each, are asked again from a program that
//! was asked nothing before. A bot may remember earlier requests, but its manifest must say so: then one
//! request alone does not reproduce its answer, which matters in a dispute.

use rules::{Dialect, GameKind, Prompt, Sample};

use crate::bot::asking::{Asker, CONFIRMED, Exchange};
use crate::bot::context::{Check, Stopped};
use crate::bot::evidence::{mismatch_step, shortened, why_not_repeated};
use crate::bot::step::{Step, StepName};
use crate::report::Listener;
use ::bot::manifest::MANIFEST;
use ::bot::manifest::Mode;
use text::counted;

/// Number of compared answers.
const COMPARED: usize = 8;

/// Compares answers of the games with answers of freshly started programs, as one step.
pub(super) fn residence(
    check: &Check<'_>,
    kind: &GameKind,
    later: &[Exchange],
    asker: &mut Asker,
    listener: &mut dyn Listener<StepName>,
) -> Result<(), Stopped> {
    if check.contender.mode == Mode::PerMove {
        return Ok(());
    }
    let name = StepName::Request(format!("{kind} started anew"));
    listener.begins(&name.to_string());
    asker.begin(&name);
    Ok(listener.found(step(check, name, later, asker)?)?)
}

fn step(
    check: &Check<'_>,
    name: StepName,
    later: &[Exchange],
    asker: &mut Asker,
) -> Result<Step, Stopped> {
    if check.contender.remembers {
        return Ok(Step::passed(name, format!("its {MANIFEST} says `remembers = true`")));
    }
    let mut compared = 0;
    for exchange in later.iter().step_by(later.len().div_ceil(COMPARED).max(1)) {
        if let Some(skipped) = asker.gives_up(&name) {
            return Ok(skipped);
        }
        let Prompt::Request(request) = &exchange.prompt else { continue };
        let Ok(sample) = Sample::read(request) else { continue };
        let Some(known) = sample.played(Dialect::Native, exchange.answer.clone()) else { continue };
        let mut anew = || -> Result<_, Stopped> {
            let ruled = asker.ask_afresh(&exchange.prompt, &sample)?;
            let answer = sample.played(Dialect::Native, ruled.exchange.answer.clone());
            Ok((ruled.exchange, answer))
        };
        let (asked_anew, answer) = anew()?;
        compared += 1;
        if answer.as_ref() == Some(&known) {
            continue;
        }
        let shown = answer.as_deref().map_or_else(|| "nothing legal".to_owned(), shortened);
        let note = format!("resident `{}`, started per move `{shown}`", shortened(&known));
        // The answers of a bot that uses chance or a clock differ between fresh starts, too.
        for _ in 0..CONFIRMED {
            if anew()?.1 != answer {
                return Ok(Step::warning(
                    name,
                    format!("nondeterministic: {note}; {}", why_not_repeated(check.contender)),
                ));
            }
        }
        let note = format!(
            "{note}: set `remembers = true` in {MANIFEST} if the bot uses earlier requests"
        );
        return Ok(mismatch_step(&name, note, &asked_anew, &known));
    }
    Ok(match compared {
        0 => Step::skipped(name, "no legal answer to compare"),
        count => Step::passed(name, counted(count, "request", "requests")),
    })
}
