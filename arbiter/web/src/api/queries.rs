//! The queries of the interface: which rows of a list, which attempt at a game.

use std::collections::BTreeSet;
use std::convert::Infallible;

use axum::body::Bytes;
use axum::extract::{FromRequestParts, Query};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Uri};
use axum::response::Response;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::answer::{ApiError, answered};
use crate::page::read;
use report::game_line::GameKey;

/// The most rows of a list in one answer, and as many as there are without `limit`.
pub(super) const MOST: usize = 100;

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ListQuery {
    pub(super) after: Option<String>,
    limit: Option<String>,
}

/// The query of the games of a tournament or a round.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GamesQuery {
    pub(super) after: Option<String>,
    limit: Option<String>,
    bot: Option<String>,
    against: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LeagueGamesQuery {
    pub(super) after: Option<String>,
    limit: Option<String>,
    bot: Option<String>,
    against: Option<String>,
    round: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GameQuery {
    attempt: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct EmptyQuery {}

impl ListQuery {
    pub(super) fn limit(&self) -> Result<usize, ApiError> {
        limit(self.limit.as_deref())
    }

    /// The place of the first row, in a list whose rows are numbered from 0.
    pub(super) fn first_row(&self) -> Result<usize, ApiError> {
        let Some(after) = self.after.as_deref() else { return Ok(0) };
        let after = number(after).and_then(|after| usize::try_from(after).ok());
        after.map(|after| after.saturating_add(1)).ok_or_else(|| {
            ApiError::Wrong("invalid `after`: pass the `next` of the previous page".to_owned())
        })
    }
}

/// The bots whose games are asked for. A bot of a league is one version with `@`, or all of them without.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct BotFilter<'a> {
    bot: Option<&'a str>,
    against: Option<&'a str>,
}

/// A filter names no bot.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct UnknownBot(&'static str);

impl From<UnknownBot> for ApiError {
    fn from(UnknownBot(key): UnknownBot) -> ApiError {
        ApiError::Wrong(format!("unknown `{key}`: see `bots`"))
    }
}

impl BotFilter<'_> {
    /// The places of those among these names; none where all are asked for.
    pub(super) fn places(self, names: &[&str]) -> Result<[Option<BTreeSet<usize>>; 2], UnknownBot> {
        let places = |key: &'static str, asked: Option<&str>| {
            let Some(asked) = asked else { return Ok(None) };
            let all = names.iter().enumerate().filter(|(_, name)| is_bot(name, asked));
            let places: BTreeSet<usize> = all.map(|(place, _)| place).collect();
            if places.is_empty() { Err(UnknownBot(key)) } else { Ok(Some(places)) }
        };
        Ok([places("bot", self.bot)?, places("against", self.against)?])
    }

    /// Returns true if some of these can play a game that is asked for.
    pub(super) fn can_meet(self, names: &[&str]) -> bool {
        let Ok([bots, against]) = self.places(names) else { return false };
        match (bots, against) {
            (None, _) | (_, None) => true,
            (Some(bots), Some(against)) => bots.union(&against).nth(1).is_some(),
        }
    }
}

/// Returns true if this is the name of a bot, or of one of its versions.
fn is_bot(name: &str, asked: &str) -> bool {
    name == asked || name.split_once('@').is_some_and(|(bot, _)| bot == asked)
}

impl GamesQuery {
    pub(super) fn bots(&self) -> BotFilter<'_> {
        BotFilter { bot: self.bot.as_deref(), against: self.against.as_deref() }
    }

    pub(super) fn limit(&self) -> Result<usize, ApiError> {
        limit(self.limit.as_deref())
    }

    /// The attempt before the first row.
    pub(super) fn after(&self) -> Result<Option<GameKey>, ApiError> {
        let Some(after) = self.after.as_deref() else { return Ok(None) };
        attempt_after(after).map(Some).ok_or_else(|| {
            let expected = "pass the `next` of the previous page: GAME or GAME-ATTEMPT";
            ApiError::Wrong(format!("invalid `after`: {expected}"))
        })
    }
}

impl LeagueGamesQuery {
    pub(super) fn bots(&self) -> BotFilter<'_> {
        BotFilter { bot: self.bot.as_deref(), against: self.against.as_deref() }
    }

    pub(super) fn limit(&self) -> Result<usize, ApiError> {
        limit(self.limit.as_deref())
    }

    /// The only round.
    pub(super) fn round(&self) -> Result<Option<u64>, ApiError> {
        self.round.as_deref().map(|round| self::round(round).map_err(wrong)).transpose()
    }

    /// The round of the row before the first one, and its attempt; without an attempt the last one of the round.
    pub(super) fn after(&self) -> Result<Option<(u64, Option<GameKey>)>, ApiError> {
        let Some(after) = self.after.as_deref() else { return Ok(None) };
        let found = match after.split_once('-') {
            None => number(after).map(|round| (round, None)),
            Some((round, rest)) => {
                number(round).and_then(|round| Some((round, Some(attempt_after(rest)?))))
            }
        };
        found.map(Some).ok_or_else(|| {
            let expected =
                "pass the `next` of the previous page: ROUND, ROUND-GAME or ROUND-GAME-ATTEMPT";
            ApiError::Wrong(format!("invalid `after`: {expected}"))
        })
    }
}

impl GameQuery {
    pub(super) fn attempt(&self) -> Result<Option<u32>, ApiError> {
        let Some(attempt) = self.attempt.as_deref() else { return Ok(None) };
        let found = number(attempt).and_then(|attempt| u32::try_from(attempt).ok());
        found
            .map(Some)
            .ok_or_else(|| ApiError::Wrong("invalid `attempt`: use a number from 0".to_owned()))
    }
}

pub(super) struct ApiRequest {
    uri: Uri,
    headers: HeaderMap,
}

impl<S: Sync> FromRequestParts<S> for ApiRequest {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<ApiRequest, Infallible> {
        Ok(ApiRequest { uri: parts.uri.clone(), headers: parts.headers.clone() })
    }
}

impl ApiRequest {
    pub(super) fn query<T: DeserializeOwned>(&self) -> Result<T, ApiError> {
        query(&self.uri)
    }

    /// Fails if there is a query.
    pub(super) fn no_query(&self) -> Result<(), ApiError> {
        self.query::<EmptyQuery>().map(drop)
    }

    /// Answers it in a thread for it, since files are read.
    pub(super) async fn answer(
        self,
        make: impl FnOnce(&ApiRequest) -> Result<Bytes, ApiError> + Send + 'static,
    ) -> Response {
        read(move || answered(&self.headers, make(&self))).await
    }
}

/// Reads a query. A key that is not known is an error: else a filter with a typo would filter nothing.
fn query<T: DeserializeOwned>(uri: &Uri) -> Result<T, ApiError> {
    let read = Query::<T>::try_from_uri(uri).map(|Query(query)| query);
    read.map_err(|problem| {
        let problem = problem.body_text();
        let why = problem.split_once(": ").map_or(problem.as_str(), |(_, why)| why);
        ApiError::Wrong(format!("cannot read the query: {why}"))
    })
}

/// A number in its one spelling.
pub(super) fn number(text: &str) -> Option<u64> {
    text.parse::<u64>().ok().filter(|number| number.to_string() == text)
}

pub(super) fn game(text: &str) -> Result<u64, ApiError> {
    number(text).ok_or_else(|| ApiError::Missing("invalid game number".to_owned()))
}

pub(super) fn round(text: &str) -> Result<u64, ApiError> {
    let problem = || ApiError::Missing("invalid round number".to_owned());
    number(text).ok_or_else(problem)
}

/// The text of an attempt as [`GamesQuery::after`] reads it.
pub(super) fn cursor(GameKey { number, attempt }: GameKey) -> String {
    format!("{number}-{attempt}")
}

/// A page of a list: the first of these rows, and the cursor of the last one if more follow.
pub(super) fn page(name: &str, rows: impl Iterator<Item = (String, Value)>, limit: usize) -> Value {
    let mut rows = rows.fuse();
    let (mut page, mut last) = (Vec::new(), None);
    for (cursor, row) in rows.by_ref().take(limit) {
        page.push(row);
        last = Some(cursor);
    }
    let next = last.filter(|_| rows.next().is_some());
    json!({ name: page, "next": next })
}

/// Rows with numbers, as [`page`] takes them.
pub(super) fn numbered(
    rows: impl Iterator<Item = (u64, Value)>,
) -> impl Iterator<Item = (String, Value)> {
    rows.map(|(number, row)| (number.to_string(), row))
}

fn limit(text: Option<&str>) -> Result<usize, ApiError> {
    let Some(text) = text else { return Ok(MOST) };
    let limit = number(text).and_then(|limit| usize::try_from(limit).ok());
    limit
        .filter(|limit| (1..=MOST).contains(limit))
        .ok_or_else(|| ApiError::Wrong(format!("`limit` must be from 1 to {MOST}")))
}

/// The attempt `GAME-ATTEMPT`, or the last possible one at `GAME`.
fn attempt_after(text: &str) -> Option<GameKey> {
    let (game, attempt) = match text.split_once('-') {
        None => (text, u32::MAX),
        Some((game, attempt)) => (game, u32::try_from(number(attempt)?).ok()?),
    };
    Some(GameKey { number: number(game)?, attempt })
}

/// A value of a query is wrong where the same in an address is missing.
fn wrong(why: ApiError) -> ApiError {
    match why {
        ApiError::Missing(why) => ApiError::Wrong(why),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse_query<T: DeserializeOwned>(text: &str) -> Result<T, ApiError> {
        query(&format!("/games?{text}").parse().expect("an address"))
    }

    #[test]
    fn places_in_lists_have_one_spelling() {
        let after = |text: &str| parse_query::<GamesQuery>(&format!("after={text}"))?.after();
        let key = |number, attempt| Some(GameKey { number, attempt });
        assert_eq!(after("17-2").expect("an attempt"), key(17, 2));
        assert_eq!(after("17").expect("a game"), key(17, u32::MAX));
        let largest = u64::MAX.to_string();
        assert_eq!(after(&largest).expect("a game"), key(u64::MAX, u32::MAX));
        assert_eq!(cursor(GameKey { number: 17, attempt: 2 }), "17-2");
        for text in ["", "-", "017", "+1", "1-", "-1", "1-01", "1-4294967296", "1-1-1", "x"] {
            assert!(matches!(after(text), Err(ApiError::Wrong(_))), "{text}");
        }
        assert!(after(&format!("{largest}0")).is_err());
        let after = |text: &str| parse_query::<LeagueGamesQuery>(&format!("after={text}"))?.after();
        assert_eq!(after("3").expect("a round"), Some((3, None)));
        assert_eq!(after("3-17-2").expect("an attempt"), Some((3, key(17, 2))));
        for text in ["", "3-", "3-1-1-1", "03"] {
            assert!(matches!(after(text), Err(ApiError::Wrong(_))), "{text}");
        }
    }

    #[test]
    fn a_limit_has_a_bound_and_a_typo_is_an_error() {
        let limit = |text: &str| parse_query::<ListQuery>(text)?.limit();
        assert_eq!(limit("").expect("the usual one"), MOST);
        assert_eq!(limit("limit=1").expect("a number"), 1);
        for text in ["limit=0", "limit=101", "limit=1000000", "limit=-1", "limit=", "limits=5"] {
            assert!(matches!(limit(text), Err(ApiError::Wrong(_))), "{text}");
        }
        assert!(limit("limit=1&limit=2").is_err());
    }

    #[test]
    fn bots_are_asked_for_by_name_or_version() {
        let names = ["ann@1", "ann@2", "ben@1"];
        let places =
            |text: &str| parse_query::<GamesQuery>(text).expect("a query").bots().places(&names);
        let set = |places: &[usize]| Some(BTreeSet::from_iter(places.iter().copied()));
        assert_eq!(places("bot=ann&against=ben"), Ok([set(&[0, 1]), set(&[2])]));
        assert_eq!(places("against=ann@2"), Ok([None, set(&[1])]));
        assert_eq!(places(""), Ok([None, None]));
        assert_eq!(places("bot=an&against=ben"), Err(UnknownBot("bot")));
        assert_eq!(places("bot=ann&against="), Err(UnknownBot("against")));
        let can_meet = |text: &str, names: &[&str]| {
            parse_query::<GamesQuery>(text).expect("a query").bots().can_meet(names)
        };
        assert!(can_meet("bot=ann&against=ann", &names));
        assert!(!can_meet("bot=ann&against=ann", &["ann@2", "ben@1"]));
        assert!(!can_meet("bot=ann&against=ben", &["ann@2", "cid@1"]));
        assert!(can_meet("bot=ann", &["ann@2"]) && can_meet("", &[]));
    }

    #[test]
    fn a_page_says_where_the_next_one_begins() {
        let rows = |many: usize| (0..many).map(|row| (row.to_string(), json!(row)));
        assert_eq!(page("rows", rows(0), 2), json!({ "rows": [], "next": null }));
        assert_eq!(page("rows", rows(2), 2), json!({ "rows": [0, 1], "next": null }));
        assert_eq!(page("rows", rows(3), 2), json!({ "rows": [0, 1], "next": "1" }));
    }
}
