//! The mistakes of a league's bots over all of its rounds, by the reviews that were kept beside the logs of rounds.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::SystemTime;

use bots::review::learns;
use maud::{Markup, html};
use review::{BotReview, MistakePosition, OpenedLog, ReviewSummary, kept_beside, kept_reviews};
use rules::Digest;

use crate::html::bot;
use contest::tournament::folder::{games, shown};
use league::League;
use league::folder::LeagueFolder;
use record::GameReader;

/// The kept reviews of rounds, each by all that its mistakes depend on.
pub type KeptReviews = BTreeMap<u64, ReviewStamp>;

/// All that the mistakes of a round depend on.
#[derive(Debug, Clone, PartialEq)]
pub struct ReviewStamp {
    /// The length of the file.
    bytes: u64,
    /// The time of its last change.
    changed: SystemTime,
    /// The corrections that leave out games of the round.
    corrections: Vec<Digest>,
}

/// The mistakes of all bots, in games that count.
#[derive(Debug, Default)]
pub struct LeagueMistakes {
    /// Those of a round by its number, with the review of which they are made.
    rounds: BTreeMap<u64, Arc<(ReviewStamp, ReviewSummary)>>,
}

impl LeagueMistakes {
    /// True if they are made of these.
    pub fn are_of(&self, wanted: &KeptReviews) -> bool {
        let own = self.rounds.iter().map(|(round, it)| (round, &it.0));
        own.eq(wanted)
    }

    /// The mistakes of these rounds; only those rounds are read that are new or have changed. What cannot be read is
    /// left out: a review can be made again.
    pub fn brought_to(
        &self,
        folder: &LeagueFolder,
        league: &League,
        wanted: KeptReviews,
    ) -> LeagueMistakes {
        self.with(wanted, &|round| read(folder, league, round))
    }

    fn with(&self, wanted: KeptReviews, read: &dyn Fn(u64) -> ReviewSummary) -> LeagueMistakes {
        let round = |(round, kept_review): (u64, ReviewStamp)| {
            let known = self.rounds.get(&round).filter(|known| known.0 == kept_review).cloned();
            let made = || Arc::new((kept_review, read(round)));
            (round, known.unwrap_or_else(made))
        };
        LeagueMistakes { rounds: wanted.into_iter().map(round).collect() }
    }

    /// What a version of a bot gives away, if it was reviewed.
    pub(super) fn review_of(&self, version: &str) -> Option<BotReview> {
        let mut rounds = self.rounds.values().filter_map(|round| round.1.bot(version));
        let mut all = rounds.next()?.clone();
        rounds.for_each(|review| all.append(review));
        Some(all)
    }
}

/// Adds up the games of a round that were reviewed and count.
fn read(folder: &LeagueFolder, league: &League, round: u64) -> ReviewSummary {
    let mut summary = ReviewSummary::default();
    let path = games(&folder.round(round));
    let found = league.rounds().iter().find(|it| it.line.round == round);
    let (Some(found), Ok(place), Ok(games)) =
        (found, usize::try_from(round), GameReader::open(&path))
    else {
        return summary;
    };
    let counts = |game: u64| {
        let (_, table) = found.line.place_of(game, league.seats());
        league.corrections().counts(round, game, &found.line.bots_of(table))
    };
    let mut log = OpenedLog { name: shown(&path), path, games };
    // The games before a line that cannot be read are counted: the page of the round tells of it.
    let _ = kept_reviews(place, &mut log, &mut |game| {
        if counts(game.number) {
            summary.add(game, None);
        }
    });
    summary
}

/// Returns the finished rounds that have kept reviews.
pub fn kept_reviews_of(folder: &LeagueFolder, league: &League) -> KeptReviews {
    let over = league.rounds().iter().filter(|round| round.over.is_some());
    let kept = over.filter_map(|round| {
        let found = kept_beside(&games(&folder.round(round.line.round)))?.metadata().ok()?;
        let corrections = league.corrections().of_round(&round.line).map(|it| it.digest).collect();
        let (bytes, changed) = (found.len(), found.modified().ok()?);
        Some((round.line.round, ReviewStamp { bytes, changed, corrections }))
    });
    kept.collect()
}

/// The mistakes of a version, for its page.
pub(super) fn table(league: &League, review: &BotReview) -> Markup {
    let link = |position: &MistakePosition| {
        let MistakePosition { log: round, game, decision, .. } = position;
        html! {
            a href=(format!("../rounds/{round}/game.html#game={game}&move={}&review=now", decision.number)) {
                (round) "/" (game)
            }
        }
    };
    html! {
        p.quiet { (review.name) " in " (text::counted(review.games, "reviewed game", "reviewed games")) ", as round/game:" }
        (bot::mistakes(review, learns(league.kind()), &link))
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    fn kept_review(bytes: u64, corrections: &[&str]) -> ReviewStamp {
        let corrections = corrections.iter().map(|it| Digest::hash(it.as_bytes())).collect();
        ReviewStamp { bytes, changed: SystemTime::UNIX_EPOCH, corrections }
    }

    /// While a round was being reviewed, each look read the logs of all rounds again.
    #[test]
    fn only_a_round_that_has_changed_is_read_again() {
        let read = RefCell::new(Vec::new());
        let next = |known: &LeagueMistakes, rounds: &[ReviewStamp]| {
            let wanted: KeptReviews = (0..).zip(rounds.iter().cloned()).collect();
            let all = known.with(wanted.clone(), &|round| {
                read.borrow_mut().push(round);
                ReviewSummary::default()
            });
            assert!(all.are_of(&wanted));
            (all, read.take())
        };
        let (first, read) =
            next(&LeagueMistakes::default(), &[kept_review(7, &[]), kept_review(8, &[])]);
        assert_eq!(read, [0, 1]);
        let (further, read) =
            next(&first, &[kept_review(7, &[]), kept_review(9, &[]), kept_review(1, &[])]);
        assert_eq!(read, [1, 2]);
        let (void, read) =
            next(&further, &[kept_review(7, &["void"]), kept_review(9, &[]), kept_review(1, &[])]);
        assert_eq!(read, [0]);
        // A round whose review was deleted is forgotten.
        let (fewer, read) = next(&void, &[kept_review(7, &[])]);
        assert_eq!((fewer.rounds.len(), read), (1, vec![0]));
    }
}
