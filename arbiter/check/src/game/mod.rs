//! The check that the rules of a custom game keep to the protocol of rules, without any bot.
//!
//! # Theory of operation
//!
//! Random games are played by an instance of the rules (`games.rs`), and what they say is kept (`run.rs`). All later
//! steps start from these games. They are played again, where equal inputs must give equal text (`games.rs`). In
//! some of their states inputs are tried that must be refused (`refusals.rs`). What nature has decided is decided in
//! another way, which must change something (`chances.rs`). Their inputs are changed so that a seat
//! is told the same, and then it must see the same (`leaks.rs`); and continued in two ways, where a view must tell what
//! events do (`views.rs`). Last come the games that the author has recorded.
//!
//! A step that cannot go on without an earlier one is skipped. Every step has a bound of calls, so that a check with
//! the same seed finds the same. Unless its user has chosen an extent, a check has a bound of time as well (`context.rs`):
//! rules that are slow are checked in seconds, with fewer calls, and the report names the steps that were cut short.

mod chances;
mod context;
mod games;
mod leaks;
pub mod plan;
mod refusals;
mod run;
mod summary;
mod views;

use text::failure::Failure;

use crate::report::Listener;
use crate::step::Status;
use context::Check;
use run::{Instance, Problem, Step, StepName};
use summary::{Depths, History};

/// Why a step of a quick check is not made at all.
const NO_TIME: &str = "the steps before it took all the time of a quick check";

/// Results of a check beside its steps.
#[derive(Default)]
struct Shown {
    history: History,
    /// How many states had a twin.
    twins: Depths,
    /// The steps that were cut short.
    cut: Vec<StepName>,
    /// The numbers of seats that the game can have, and that were not tested.
    untested_seats: Vec<usize>,
}

impl Check<'_> {
    /// Makes all steps after the first one, and reports them.
    fn run(
        &self,
        instance: Instance,
        follow: &mut dyn Listener<StepName>,
    ) -> Result<Shown, Failure> {
        let games::Games { runs, instance } = games::play(self, instance, follow)?;
        let first = runs.first().map(|run| History::new(run, self.seats));
        let untested_seats =
            self.about.seats.clone().filter(|seats| *seats != self.seats).collect();
        let history = first.unwrap_or_default();
        let mut shown = Shown { history, untested_seats, ..Shown::default() };
        let not_played = "a game could not be played to its end";
        let instance = match instance {
            Some(instance) => {
                let (step, instance) = games::same_text(self, &runs, instance, follow);
                follow.found(step)?;
                instance.ok_or("equal inputs give other text")
            }
            None => {
                follow.found(Step::skipped(StepName::SameText, not_played))?;
                Err(not_played)
            }
        };
        let later = [
            StepName::Refusals,
            StepName::Checks,
            StepName::Chances,
            StepName::Leaks,
            StepName::Views,
        ];
        match instance {
            Err(why) => {
                later.into_iter().try_for_each(|name| follow.found(Step::skipped(name, why)))?
            }
            Ok(instance) => shown.twins = self.compare(&runs, instance, follow)?,
        }
        let steps = [views::keys(self, &runs), games::recorded(self)];
        steps.into_iter().flatten().try_for_each(|step| follow.found(step))?;
        shown.cut = self.pace.cut();
        Ok(shown)
    }

    /// Makes the steps that compare states of games.
    fn compare(
        &self,
        runs: &[run::Run],
        instance: Instance,
        follow: &mut dyn Listener<StepName>,
    ) -> Result<Depths, Failure> {
        let mut instance = Some(instance);
        let out_of_time = |name| self.pace.cuts(name).then(|| Step::skipped(name, NO_TIME));
        let steps = match self.alive(&mut instance) {
            Ok(_) if self.pace.cuts(StepName::Refusals) => {
                [StepName::Refusals, StepName::Checks].map(|name| Step::skipped(name, NO_TIME))
            }
            Ok(alive) => refusals::refusals(self, runs, alive, follow),
            Err(problem) => {
                let skipped = Step::skipped(StepName::Checks, "the rules cannot be started");
                [Step::failed(StepName::Refusals, problem), skipped]
            }
        };
        if steps.iter().any(|step| step.status == Status::Failed) {
            instance = None;
        }
        steps.into_iter().try_for_each(|step| follow.found(step))?;
        let chances = match self.alive(&mut instance) {
            Ok(alive) => out_of_time(StepName::Chances)
                .unwrap_or_else(|| chances::chances(self, runs, alive, follow)),
            Err(problem) => Step::failed(StepName::Chances, problem),
        };
        if chances.status == Status::Failed {
            instance = None;
        }
        follow.found(chances)?;
        let no_leaks = out_of_time(StepName::Leaks);
        let (twins, problem) = match self.alive(&mut instance) {
            Ok(_) if no_leaks.is_some() => Default::default(),
            Ok(alive) => leaks::leaks(self, runs, alive, follow),
            Err(problem) => (Depths::default(), Some(problem)),
        };
        let twins = match problem {
            Some(problem) => {
                instance = None;
                follow.found(Step::failed(StepName::Leaks, problem))?;
                Depths::default()
            }
            None => {
                let compared = match twins.twins() {
                    0 => {
                        ", so nothing was compared: is a draw an `event` that should be a `secret`?"
                    }
                    _ => "",
                };
                let note = format!(
                    "{} of {} states had an indistinguishable one{compared}",
                    twins.twins(),
                    twins.states()
                );
                follow.found(no_leaks.unwrap_or_else(|| Step::passed(StepName::Leaks, note)))?;
                twins
            }
        };
        let views = match self.alive(&mut instance) {
            Ok(alive) => out_of_time(StepName::Views)
                .unwrap_or_else(|| views::views(self, runs, alive, follow)),
            Err(problem) => Step::failed(StepName::Views, problem),
        };
        follow.found(views).map(|()| twins)
    }

    /// An instance, another one after a failure.
    fn alive<'i>(&self, instance: &'i mut Option<Instance>) -> Result<&'i mut Instance, Problem> {
        let alive = instance.take().map_or_else(|| self.start(), Ok)?;
        Ok(instance.insert(alive))
    }
}
