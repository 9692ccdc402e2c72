//! What each move of a source is worth, for its pages.

use std::collections::BTreeMap;
use std::path::Path;

use bots::review::learns;
use review::{
    BotReview, Decision, LogReview, MistakePosition, ResultBreakdown, ReviewSummary, ReviewedGame,
    ReviewedLog, StoredDealLuck,
};
use rules::GameKind;
use serde::Serialize;

use crate::error::ReportError;
use crate::game_line::{AnswerReview, GameLine, GameLuck, SeatBreakdown, StepLuck};
use contest::tournament::folder::shown;
use record::Games;

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
    /// Makes the review of a game from the values of its moves.
    pub fn new(game: &GameLine, reviewed: &ReviewedGame) -> GameReview {
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
    /// Reviews the games of a log.
    pub(super) fn review(log: &Path, review: &LogReview) -> Result<SourceReview, ReportError> {
        let name = shown(log);
        let wrong = |problem: String| ReportError::Wrong(format!("{name}: {problem}"));
        let games = Games::open(log).map_err(|error| wrong(error.to_string()))?;
        let mut logs = [ReviewedLog { name: name.clone(), path: log.to_owned(), games }];
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
    pub(super) fn add_to(&mut self, game: &mut GameLine) {
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
