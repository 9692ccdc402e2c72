//! The answers about one tournament, or one round of a league.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, Uri};
use axum::response::Response;
use axum::routing::get;
use serde_json::{Value, json};

use super::answer::{NoAnswer, answered, text};
use super::asked::{
    AskedBots, GameQuery, GamesQuery, ListQuery, NoQuery, UnknownBot, cursor, game, numbered, page,
    query,
};
use super::{Route, begun};
use crate::page::read;
use crate::tournament::{NoText, Tournament, events};
use report::growing::values::{Found, Rows, RowsAsked};
use report::part::{GameKey, Part};

/// The routes that only a tournament has.
pub(super) fn own() -> [Route<Tournament>; 2] {
    [("/", get(first)), ("/refused", get(refused))]
}

/// The routes that each round of a league has, too.
pub(super) fn report() -> [Route<Tournament>; 7] {
    [
        ("/standings", get(standings)),
        ("/bots", get(bots)),
        ("/bots/{bot}", get(bot)),
        ("/games", get(games)),
        ("/games/{game}", get(one_game)),
        ("/games/{game}/review", get(review)),
        ("/events", get(events)),
    ]
}

/// The lists that the first answer leads to.
const LISTS: [&str; 6] = ["standings", "bots", "games", "refused", "live", "events"];

type At = State<Arc<Tournament>>;

async fn first(State(tournament): At, uri: Uri, asked: HeaderMap) -> Response {
    read(move || {
        let made = query::<NoQuery>(&uri).and_then(|_| about(&tournament));
        answered(&asked, made)
    })
    .await
}

/// The state of the tournament. It is there before anything was played.
fn about(tournament: &Tournament) -> Result<Bytes, NoAnswer> {
    let made = tournament.made("api", |report, terms| {
        let mut told = report.about(terms.disclosed);
        told["reviews"] = json!(terms.reviewing.is_some());
        Ok(Some(text(&begun("tournament", told, &LISTS))))
    });
    match made {
        Ok(Some(made)) => Ok(made),
        Ok(None) | Err(NoText::Nothing(_)) => {
            let told = begun("tournament", json!({ "state": "not begun" }), &LISTS);
            Ok(Bytes::from(text(&told)))
        }
        Err(wrong) => Err(wrong.into()),
    }
}

async fn standings(State(tournament): At, uri: Uri, asked: HeaderMap) -> Response {
    read(move || {
        let made = query::<NoQuery>(&uri).and_then(|_| {
            let part = tournament.part("data/standings.json", Part::Standings)?;
            part.ok_or_else(|| NoAnswer::Missing("there are no standings".to_owned()))
        });
        answered(&asked, made)
    })
    .await
}

async fn bots(State(tournament): At, uri: Uri, asked: HeaderMap) -> Response {
    read(move || answered(&asked, query(&uri).and_then(|asked| listed_bots(&tournament, &asked))))
        .await
}

fn listed_bots(tournament: &Tournament, asked: &ListQuery) -> Result<Bytes, NoAnswer> {
    let limit = asked.limit()?;
    // All of them are kept as one text: to make it, the standings are computed.
    let all = tournament
        .made("api/bots", |report, terms| Ok(Some(text(&json!(report.bots(terms.disclosed))))))?
        .unwrap_or_default();
    let broken = |problem: serde_json::Error| NoAnswer::Broken(problem.to_string());
    let all: Vec<Value> = serde_json::from_slice(&all).map_err(broken)?;
    let name = |bot: &Value| bot["name"].as_str().unwrap_or_default().to_owned();
    let first = match &asked.after {
        None => Some(0),
        Some(after) => all.iter().position(|bot| name(bot) == *after).map(|place| place + 1),
    };
    let first = first.ok_or_else(|| NoAnswer::Wrong("`after` names no bot".to_owned()))?;
    let rows = all.into_iter().skip(first).map(|bot| (name(&bot), bot));
    Ok(Bytes::from(text(&page("bots", rows, limit))))
}

async fn refused(State(tournament): At, uri: Uri, asked: HeaderMap) -> Response {
    read(move || {
        let told = query::<ListQuery>(&uri).and_then(|asked| {
            let (first, limit) = (asked.first()?, asked.limit()?);
            let told = tournament.looked_up(|report, _| {
                Ok(page("refused", numbered(report.refused(first)), limit))
            })?;
            Ok(Bytes::from(text(&told)))
        });
        answered(&asked, told)
    })
    .await
}

async fn bot(
    State(tournament): At,
    Path(bot): Path<String>,
    uri: Uri,
    asked: HeaderMap,
) -> Response {
    read(move || {
        let made = query::<NoQuery>(&uri).and_then(|_| {
            let made = tournament.made(&format!("api/bots/{bot}"), |report, terms| {
                Ok(report.bot(&bot, terms.disclosed).as_ref().map(text))
            })?;
            made.ok_or_else(no_bot)
        });
        answered(&asked, made)
    })
    .await
}

async fn games(State(tournament): At, uri: Uri, asked: HeaderMap) -> Response {
    read(move || answered(&asked, query(&uri).and_then(|asked| listed(&tournament, &asked)))).await
}

fn listed(tournament: &Tournament, asked: &GamesQuery) -> Result<Bytes, NoAnswer> {
    let (after, most) = (asked.after()?, asked.limit()?);
    let Rows { names, games, next } = rows(tournament, after, most, asked.bots())??;
    let told = json!({ "names": names, "games": games, "next": next.map(cursor) });
    Ok(Bytes::from(text(&told)))
}

/// Some games of a tournament, all or those of certain bots.
pub(super) fn rows(
    tournament: &Tournament,
    after: Option<GameKey>,
    most: usize,
    asked: AskedBots<'_>,
) -> Result<Result<Rows, UnknownBot>, NoText> {
    tournament.looked_up(|report, _| match asked.places(&report.names().collect::<Vec<_>>()) {
        Ok([bots, against]) => report.rows(&RowsAsked { after, most, bots, against }).map(Ok),
        Err(unknown) => Ok(Err(unknown)),
    })
}

async fn one_game(
    State(tournament): At,
    Path(number): Path<String>,
    uri: Uri,
    asked: HeaderMap,
) -> Response {
    read(move || {
        let made = game(&number)
            .and_then(|number| played(&tournament, number, query::<GameQuery>(&uri)?.attempt()?));
        answered(&asked, made)
    })
    .await
}

fn played(tournament: &Tournament, number: u64, attempt: Option<u32>) -> Result<Bytes, NoAnswer> {
    let name = format!("api/games/{number}?{attempt:?}");
    let mut is_read = true;
    let made = tournament.made(&name, |report, terms| {
        let found = report.game(number, attempt, terms.disclosed)?;
        is_read = !matches!(found, Found::NotYet);
        Ok(match &found {
            Found::Game(told) => Some(text(told)),
            Found::Missing | Found::NotYet => None,
        })
    })?;
    made.ok_or_else(|| match is_read {
        true => NoAnswer::Missing("no such game yet: see `games` and `live`".to_owned()),
        false => NoAnswer::NotYet("the log is loading: try again".to_owned()),
    })
}

async fn review(
    State(tournament): At,
    Path(number): Path<String>,
    uri: Uri,
    asked: HeaderMap,
) -> Response {
    read(move || {
        let made = game(&number).and_then(|number| {
            let attempt = query::<GameQuery>(&uri)?.attempt()?.unwrap_or(0);
            let made = tournament.reviewed(GameKey { number, attempt })?;
            made.ok_or_else(|| NoAnswer::Missing("no review available for this game".to_owned()))
        });
        answered(&asked, made)
    })
    .await
}

fn no_bot() -> NoAnswer {
    NoAnswer::Missing("no such bot: see `bots`".to_owned())
}
