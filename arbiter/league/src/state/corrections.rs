//! The lines of a league's log that correct games: void ones, reinstated ones and replays.

use rules::Digest;

use super::{League, not_active, wrong_correction, wrong_stage};
use crate::correction::{Correction, Corrections, Exceptions, check_reason, game_without};
use crate::line::{ReinstateLine, ReplayLine, RoundLine, StageEndedLine, VoidLine, WithdrawLine};
use crate::replay_line::{PendingTable, ReplayedGame, Replays};
use crate::stage::{ForfeitRule, LeavingMode, Stage, StageLine};
use crate::version::BotVersion;

impl League {
    /// Leaves games of finished rounds out.
    pub(super) fn void(&mut self, line: VoidLine, digest: Digest) -> Result<(), String> {
        check_reason(&line.reason).map_err(wrong_correction)?;
        let wrong = |problem: String| Err(wrong_correction(problem));
        if line.round.is_none() && (line.bot.is_none() || !line.games.is_empty()) {
            return wrong("it names no round".to_owned());
        }
        if let Some(bot) = line.bot.as_ref().filter(|bot| self.entrant(bot).is_none()) {
            return wrong(format!("it names {bot}, which has not entered"));
        }
        if let Some(number) = line.round {
            let found = self.rounds.iter().find(|round| round.line.round == number);
            let Some(round) = found.filter(|round| round.over.is_some()) else {
                return wrong(format!("it names round {number}, which is not over"));
            };
            if let Some(bot) = line.bot.as_ref().filter(|bot| !round.line.bots.contains(bot)) {
                return wrong(format!("it names {bot}, which did not play in round {number}"));
            }
            round.line.check_games(&line.games, self.founding.seats).map_err(wrong_correction)?;
            if let Some(bot) = &line.bot
                && let Some(game) = game_without(&round.line, self.founding.seats, &line.games, bot)
            {
                return wrong(format!("it names {bot}, which did not play in game {game}"));
            }
            if round.line.stage.is_some() {
                self.void_stage_round(&line, number)?;
            }
        }
        let rounds = self.rounds.iter().filter(|round| round.over.is_some()).count() as u64;
        self.corrections.add(Correction::new(line, digest, rounds));
        self.note_replays();
        Ok(())
    }

    /// Takes the last round of the last stage back, which is then played again.
    pub(super) fn void_stage_round(&mut self, line: &VoidLine, number: u64) -> Result<(), String> {
        let wrong = |problem: String| Err(wrong_correction(problem));
        if !line.games.is_empty() || line.bot.is_some() {
            return wrong(format!(
                "round {number} belongs to a stage, so it is void only as a whole"
            ));
        }
        // An aborted round was taken back when it ended.
        let is_aborted = self.rounds.iter().any(|round| {
            round.line.round == number
                && round.over.as_ref().is_some_and(|over| over.broken.is_some())
        });
        if is_aborted {
            return Ok(());
        }
        let is_open = self.open_round().is_some();
        match self.stages.last_mut().filter(|_| !is_open) {
            Some(stage) if stage.rounds().last().is_some_and(|it| it.round == number) => {
                stage.take_back();
                Ok(())
            }
            _ => wrong(format!("round {number} is not the last one of the last stage")),
        }
    }

    pub(super) fn reinstate(&mut self, line: ReinstateLine) -> Result<(), String> {
        let void = self.corrections.all().iter().find(|it| it.digest == line.void);
        let of_stage = |number| {
            self.rounds.iter().any(|it| it.line.round == number && it.line.stage.is_some())
        };
        if void.and_then(|it| it.line.round).is_some_and(of_stage) {
            let problem = "it reinstates a round of a stage, which is played again";
            return Err(wrong_correction(problem));
        }
        let mut corrections = self.corrections.clone();
        corrections
            .reinstate(line.void, line.reason)
            .and_then(|()| self.replays.check_void(&corrections))
            .map_err(wrong_correction)?;
        self.corrections = corrections;
        self.note_replays();
        Ok(())
    }

    /// Has void games of a finished round played again.
    pub(super) fn replay(&mut self, line: ReplayLine) -> Result<(), String> {
        let wrong = |problem: String| Err(wrong_correction(problem));
        let number = line.round;
        let found = self.rounds.iter().find(|round| round.line.round == number);
        let Some((round, over)) = found.and_then(|it| Some((it, it.over.as_ref()?))) else {
            return wrong(format!("it names round {number}, which is not over"));
        };
        if round.line.stage.is_some() {
            return wrong(format!("round {number} belongs to a stage, which plays it again"));
        }
        let played = over.broken.as_ref().map_or(u64::MAX, |_| over.games);
        self.replays.add(line, &round.line, played, &self.corrections).map_err(wrong_correction)?;
        self.note_replays();
        Ok(())
    }

    pub(super) fn note_replays(&mut self) {
        let replays = &self.replays;
        self.corrections.note_replays(&|correction| replays.state(correction));
    }

    /// Returns the deals that wait to be played again, where all bots of a table play.
    pub fn pending_replays(&self, may_play: &dyn Fn(&BotVersion) -> bool) -> Vec<PendingTable> {
        let plays = |bot: &BotVersion| self.is_active(bot) && may_play(bot);
        self.replays.pending(&self.corrections, &plays)
    }

    /// Returns true if this game of a round is to be played again, or was.
    pub fn has_replay(&self, round: u64, game: u64) -> bool {
        let found = self.rounds.iter().find(|it| it.line.round == round);
        found.is_some_and(|it| self.replays.has_game(&it.line, game))
    }

    /// Returns the game that was played in the place of a void game of a round.
    pub fn replay_of(&self, round: u64, game: u64) -> Option<ReplayedGame> {
        self.replays.instead_of(round, game)
    }

    /// Returns the void game in whose place a game of a round was played.
    pub fn replayed_by(&self, round: u64, game: u64) -> Option<ReplayedGame> {
        self.replays.stands_for(round, game)
    }

    /// Returns the games that no longer count, and why.
    pub fn corrections(&self) -> &Corrections {
        &self.corrections
    }

    /// Returns who was treated differently, and why.
    pub fn exceptions(&self) -> &Exceptions {
        &self.exceptions
    }

    /// Returns the league as it was played: with void games, and without those that were played in their place.
    pub fn as_played(mut self) -> League {
        let replays = self.rounds.iter().filter(|round| round.line.is_replay());
        let replays = replays.map(|round| round.line.round).collect();
        self.corrections = Corrections::none_without(replays);
        self.replays = Replays::new(self.founding.seats);
        self
    }
}

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
            StageEndedLine::Reason { stage, reason } => (stage, Some(reason)),
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
