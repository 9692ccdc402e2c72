//! The source of a report: a log, or the folder of a tournament.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use bots::review::learns;
use contest::tournament::folder::{self, TournamentFolders, shown};
use contest::tournament::plan::Plan;
use contest::tournament::plan_file::ReadPurpose;
use contest::tournament::read;
use contest::tournament::sharded::Sharding;
use league::replay_request::RoundMarks;
use record::GameReader;
use review::{
    BotReview, Decision, MistakePosition, OpenedLog, ResultBreakdown, ReviewSettings,
    ReviewSummary, ReviewedGame, StoredDealLuck,
};
use rules::GameKind;
use serde::Serialize;

use crate::game_line::{AnswerReview, GameDetails, GameLuck, SeatBreakdown, StepLuck};
use crate::report_folder::ReportError;

#[derive(Debug)]
pub(super) struct Source {
    path: PathBuf,
    plan: Option<Box<Plan>>,
    /// What corrections of its league say of it.
    marks: RoundMarks,
}

impl Source {
    /// The log or the tournament at this path.
    pub(super) fn open(path: &Path) -> Result<Source, ReportError> {
        if !path.exists() {
            let problem = format!("no log or folder `{}`", shown(path));
            return Err(ReportError::Usage(problem));
        }
        let plan = match path.is_dir() {
            true => {
                let plan = read::plan(path, ReadPurpose::Looks);
                let problem = |error| ReportError::Usage(format!("`{}`: {error}", shown(path)));
                Some(Box::new(plan.map_err(problem)?))
            }
            false => None,
        };
        Ok(Source { path: path.to_owned(), plan, marks: RoundMarks::default() })
    }

    /// The same with these marks at its games.
    pub(super) fn marked(self, marks: RoundMarks) -> Source {
        Source { marks, ..self }
    }

    pub(super) fn marks(&self) -> &RoundMarks {
        &self.marks
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The parts of its tournament before it, whose games count in the standings.
    pub(super) fn earlier_parts(&self) -> Vec<PathBuf> {
        self.plan.as_ref().map_or(Vec::new(), |_| TournamentFolders::earlier_parts(&self.path))
    }

    /// Returns true if a later part of its tournament continues from it.
    pub(super) fn has_later_part(&self) -> bool {
        self.plan.is_some() && TournamentFolders::has_later(&self.path)
    }

    pub(super) fn plan(&self) -> Option<&Plan> {
        self.plan.as_deref()
    }

    pub(super) fn log(&self) -> PathBuf {
        match self.plan {
            Some(_) => folder::games(&self.path),
            None => self.path.clone(),
        }
    }

    /// The plan and the sharding, if it is played in shards that are not merged yet.
    pub(super) fn in_shards(&self) -> Result<Option<(&Plan, Sharding)>, ReportError> {
        let Some(plan) = self.plan() else { return Ok(None) };
        let found = read::in_shards(&self.path);
        let found = found
            .map_err(|error| ReportError::Usage(format!("`{}`: {error}", shown(&self.path))))?;
        Ok(found.map(|(_, sharding)| (plan, sharding)))
    }

    /// Returns true while games are being added to it, as far as can be told.
    pub(super) fn is_running(&self) -> bool {
        self.plan.is_some() && folder::is_in_use(&self.path)
    }
}

#[derive(Debug)]
pub(super) struct SourceReview {
    games: BTreeMap<u64, ReviewedGame>,
    summary: ReviewSummary,
    /// The step of each mistake, by game and move.
    steps: BTreeMap<(u64, u32), usize>,
    game: GameKind,
}

/// The review of a game: the values of its moves, by step, and its luck.
#[derive(Debug, Serialize)]
pub struct GameReview {
    steps: BTreeMap<usize, AnswerReview>,
    #[serde(skip_serializing_if = "Option::is_none")]
    luck: Option<GameLuck>,
}

impl GameReview {
    pub fn new(game: &GameDetails, reviewed: &ReviewedGame) -> GameReview {
        let review = |decision: &Decision| AnswerReview {
            decision: decision.clone(),
            mark: decision.mark(),
        };
        let at = |number: u32| reviewed.decisions.iter().find(|it| it.number == number);
        let accepted = game.accepted_moves();
        let steps = accepted.filter_map(|(step, number)| Some((step, review(at(number)?))));
        let deal = |luck: &StoredDealLuck| StepLuck {
            step: game.step_of(luck.line),
            win: luck.win.clone(),
        };
        let account =
            |account: &ResultBreakdown| SeatBreakdown { account: *account, rest: account.rest() };
        let luck = (!reviewed.accounts.is_empty()).then(|| GameLuck {
            deals: reviewed.luck.iter().map(deal).collect(),
            accounts: reviewed.accounts.iter().map(account).collect(),
        });
        GameReview { steps: steps.collect(), luck }
    }
}

impl SourceReview {
    pub(super) fn review(log: &Path, review: &ReviewSettings) -> Result<SourceReview, ReportError> {
        let name = shown(log);
        let wrong = |problem: String| ReportError::Wrong(format!("{name}: {problem}"));
        let games = GameReader::open(log).map_err(|error| wrong(error.to_string()))?;
        let mut logs = [OpenedLog { name: name.clone(), path: log.to_owned(), games }];
        review.check(&logs).map_err(|error| ReportError::Usage(error.to_string()))?;
        let (mut games, mut summary) = (BTreeMap::new(), ReviewSummary::default());
        let reviewed = review.run(&mut logs, &mut |game| {
            summary.add(&game, None);
            games.insert(game.number, game);
        });
        reviewed.map_err(|error| wrong(error.to_string()))?;
        let game = logs[0].games.series().kind().clone();
        Ok(SourceReview { games, summary, steps: BTreeMap::new(), game })
    }

    /// Adds to the answers of a game what their moves are worth.
    pub(super) fn add_to(&mut self, game: &mut GameDetails) {
        let number = game.heading.number;
        if !game.heading.counts() {
            return;
        }
        let Some(reviewed) = self.games.remove(&number) else { return };
        let GameReview { mut steps, luck } = GameReview::new(game, &reviewed);
        for (step, answer) in game.accepted() {
            answer.review = steps.remove(&step);
            if answer.review.as_ref().is_some_and(|review| review.mark.is_some()) {
                self.steps.insert((number, answer.number), step);
            }
        }
        game.luck = luck;
    }

    /// Returns true if a bot is blamed for exploiting another one.
    pub(super) fn blames_exploiting(&self) -> bool {
        learns(&self.game)
    }

    pub(super) fn bot(&self, name: &str) -> Option<&BotReview> {
        self.summary.bots().into_iter().find(|bot| bot.name == name)
    }

    /// The address of a position in the viewer.
    pub(super) fn place(&self, position: &MistakePosition) -> String {
        let step = self.steps.get(&(position.game, position.decision.number));
        let step = step.map_or_else(String::new, |step| format!("&step={step}"));
        format!("../game.html#game={}{step}", position.game)
    }
}
