//! The lines of a league's log about stages, and the bots that leave them.

use super::{League, not_active, wrong_correction, wrong_stage};
use crate::correction::check_reason;
use crate::line::{RoundLine, StageEndedLine, StageEndedReason, WithdrawLine};
use crate::stage::{ForfeitRule, LeavingMode, Stage, StageLine};

impl League {
    pub(super) fn begin_stage(&mut self, line: StageLine) -> Result<(), String> {
        if let Some(stage) = self.open_stage() {
            return Err(wrong_stage(format!(
                "it begins before the end of stage {}",
                stage.line.stage
            )));
        }
        if line.stage != self.stages.len() as u64 {
            let expected = self.stages.len();
            return Err(wrong_stage(format!(
                "expected stage {expected}, found stage {}",
                line.stage
            )));
        }
        if self.founding.seats != 2 {
            return Err(wrong_stage(
                "it is for games with two seats, and a game here has more".to_owned(),
            ));
        }
        if let Some(bot) = line.bots.iter().find(|bot| !self.is_active(bot)) {
            return Err(not_active(bot));
        }
        self.stages.push(Stage::begin(line).map_err(wrong_stage)?);
        Ok(())
    }

    /// Takes a bot out of the open stage.
    pub(super) fn withdraw(&mut self, line: WithdrawLine) -> Result<(), String> {
        check_reason(&line.reason).map_err(wrong_correction)?;
        let found = self.seat_in_stage(&line.bot.bot).filter(|(stage, seed)| {
            let is_it = stage.line.stage == line.stage && stage.bot(*seed) == Some(&line.bot);
            is_it && !stage.leavers().has(*seed)
        });
        let Some((stage, seed)) = found else {
            let WithdrawLine { stage, bot, .. } = line;
            let problem = format!("it withdraws {bot} from stage {stage}, where it does not play");
            return Err(wrong_stage(problem));
        };
        stage.leave(seed, LeavingMode::Withdrawn, Some(line.reason));
        Ok(())
    }

    pub(super) fn end_stage(&mut self, line: StageEndedLine) -> Result<(), String> {
        let (number, reason) = match line {
            StageEndedLine::Stage(number) => (number, None),
            StageEndedLine::Reason(StageEndedReason { stage, reason }) => (stage, Some(reason)),
        };
        if let Some(reason) = &reason {
            check_reason(reason).map_err(wrong_correction)?;
        }
        match self.stages.last_mut().filter(|it| it.line.stage == number && !it.is_over()) {
            Some(stage) => {
                stage.abort(reason);
                Ok(())
            }
            None => Err(wrong_stage(format!("stage {number} is not open"))),
        }
    }

    /// The open stage in which a bot with this name plays, with its seed; none in stages of earlier versions, in which all
    /// bots stay.
    pub(super) fn seat_in_stage(&mut self, name: &str) -> Option<(&mut Stage, usize)> {
        let stage = self
            .stages
            .last_mut()
            .filter(|stage| stage.line.forfeits == ForfeitRule::Listed && !stage.is_over())?;
        let seed = stage.line.bots.iter().position(|bot| bot.bot == name)?;
        Some((stage, seed))
    }

    /// Returns all stages.
    pub fn stages(&self) -> &[Stage] {
        &self.stages
    }

    /// Returns the stage that is not over.
    pub fn open_stage(&self) -> Option<&Stage> {
        self.stages.last().filter(|stage| !stage.is_over())
    }

    /// Returns the way in which forfeits count in a round.
    pub fn forfeits(&self, round: &RoundLine) -> ForfeitRule {
        let stage = self.stages.iter().find(|it| Some(it.line.stage) == round.stage);
        stage.map(|stage| stage.line.forfeits).unwrap_or_default()
    }
}
