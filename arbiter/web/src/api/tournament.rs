//! The answers about one tournament, or one round of a league.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::response::Response;
use axum::routing::get;
use serde_json::{Value, json};

use super::answer::{ApiError, ApiRoute, root_answer, text};
use super::queries::{
    ApiRequest, BotFilter, GameQuery, GamesQuery, ListQuery, UnknownBot, cursor, game, numbered,
    page,
};
use crate::tournament::{ReportTextError, ServedTournament, events};
use report::files::ReportPart;
use report::game_line::GameKey;
use report::growing_report::values::{GameLookup, GameRows, GamesFilter};

/// The routes that only a tournament has.
pub(super) fn tournament_routes() -> [ApiRoute<ServedTournament>; 2] {
    [("/", get(first)), ("/refused", get(refused))]
}

/// The routes that each round of a league has, too.
pub(super) fn report() -> [ApiRoute<ServedTournament>; 7] {
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

async fn first(State(tournament): State<Arc<ServedTournament>>, asked: ApiRequest) -> Response {
    asked.answer(move |asked| asked.no_query().and_then(|()| about(&tournament))).await
}

/// The state of the tournament. It is there before anything was played.
fn about(tournament: &ServedTournament) -> Result<Bytes, ApiError> {
    let made = tournament.cached_text_of_reading("api", |reading, terms| {
        let mut told = reading.about();
        told["reviews"] = json!(terms.reviewing.is_some());
        Ok(Some(text(&root_answer("tournament", told, &LISTS))))
    });
    match made {
        Ok(Some(made)) => Ok(made),
        Ok(None) | Err(ReportTextError::Nothing(_)) => {
            let told = root_answer("tournament", json!({ "state": "not begun" }), &LISTS);
            Ok(Bytes::from(text(&told)))
        }
        Err(wrong) => Err(wrong.into()),
    }
}

async fn standings(State(tournament): State<Arc<ServedTournament>>, asked: ApiRequest) -> Response {
    asked
        .answer(move |asked| {
            asked.no_query()?;
            let part = tournament.part("data/standings.json", ReportPart::Standings)?;
            part.ok_or_else(|| ApiError::Missing("there are no standings".to_owned()))
        })
        .await
}

async fn bots(State(tournament): State<Arc<ServedTournament>>, asked: ApiRequest) -> Response {
    asked.answer(move |asked| listed_bots(&tournament, &asked.query()?)).await
}

fn listed_bots(tournament: &ServedTournament, asked: &ListQuery) -> Result<Bytes, ApiError> {
    let limit = asked.limit()?;
    // All of them are kept as one text: to make it, the standings are computed.
    let all = tournament
        .cached_text_of_reading("api/bots", |reading, _| Ok(Some(text(&json!(reading.bots())))))?
        .unwrap_or_default();
    let broken = |problem: serde_json::Error| ApiError::Broken(problem.to_string());
    let all: Vec<Value> = serde_json::from_slice(&all).map_err(broken)?;
    let name = |bot: &Value| bot["name"].as_str().unwrap_or_default().to_owned();
    let first = match &asked.after {
        None => Some(0),
        Some(after) => all.iter().position(|bot| name(bot) == *after).map(|place| place + 1),
    };
    let first = first.ok_or_else(|| ApiError::Wrong("`after` names no bot".to_owned()))?;
    let rows = all.into_iter().skip(first).map(|bot| (name(&bot), bot));
    Ok(Bytes::from(text(&page("bots", rows, limit))))
}

async fn refused(State(tournament): State<Arc<ServedTournament>>, asked: ApiRequest) -> Response {
    asked
        .answer(move |asked| {
            let asked: ListQuery = asked.query()?;
            let (first, limit) = (asked.first_row()?, asked.limit()?);
            let told = tournament
                .compute(|report, _| Ok(page("refused", numbered(report.refused(first)), limit)))?;
            Ok(Bytes::from(text(&told)))
        })
        .await
}

async fn bot(
    State(tournament): State<Arc<ServedTournament>>,
    Path(bot): Path<String>,
    asked: ApiRequest,
) -> Response {
    asked
        .answer(move |asked| {
            asked.no_query()?;
            let name = format!("api/bots/{bot}");
            let made = tournament.cached_text_of_reading(&name, |reading, _| {
                Ok(reading.bot(&bot).as_ref().map(text))
            })?;
            made.ok_or_else(|| ApiError::Missing("no such bot: see `bots`".to_owned()))
        })
        .await
}

async fn games(State(tournament): State<Arc<ServedTournament>>, asked: ApiRequest) -> Response {
    asked.answer(move |asked| listed(&tournament, &asked.query()?)).await
}

fn listed(tournament: &ServedTournament, asked: &GamesQuery) -> Result<Bytes, ApiError> {
    let (after, most) = (asked.after()?, asked.limit()?);
    let GameRows { names, games, next } = rows(tournament, after, most, asked.bots())??;
    let told = json!({ "names": names, "games": games, "next": next.map(cursor) });
    Ok(Bytes::from(text(&told)))
}

/// Some games of a tournament, all or those of certain bots.
pub(super) fn rows(
    tournament: &ServedTournament,
    after: Option<GameKey>,
    most: usize,
    asked: BotFilter<'_>,
) -> Result<Result<GameRows, UnknownBot>, ReportTextError> {
    tournament.compute(|report, _| match asked.places(&report.names().collect::<Vec<_>>()) {
        Ok([bots, against]) => report.rows(&GamesFilter { after, most, bots, against }).map(Ok),
        Err(unknown) => Ok(Err(unknown)),
    })
}

async fn one_game(
    State(tournament): State<Arc<ServedTournament>>,
    Path(number): Path<String>,
    asked: ApiRequest,
) -> Response {
    asked
        .answer(move |asked| {
            let number = game(&number)?;
            played(&tournament, number, asked.query::<GameQuery>()?.attempt()?)
        })
        .await
}

fn played(
    tournament: &ServedTournament,
    number: u64,
    attempt: Option<u32>,
) -> Result<Bytes, ApiError> {
    let name = format!("api/games/{number}?{attempt:?}");
    let mut is_read = true;
    let made = tournament.cached_text(&name, |report, terms| {
        let found = report.game(number, attempt, terms.disclosed)?;
        is_read = !matches!(found, GameLookup::NotYet);
        Ok(match &found {
            GameLookup::Game(told) => Some(text(told)),
            GameLookup::Missing | GameLookup::NotYet => None,
        })
    })?;
    made.ok_or_else(|| match is_read {
        true => ApiError::Missing("no such game yet: see `games` and `live`".to_owned()),
        false => ApiError::NotYet("the log is loading: try again".to_owned()),
    })
}

async fn review(
    State(tournament): State<Arc<ServedTournament>>,
    Path(number): Path<String>,
    asked: ApiRequest,
) -> Response {
    asked
        .answer(move |asked| {
            let number = game(&number)?;
            let attempt = asked.query::<GameQuery>()?.attempt()?.unwrap_or(0);
            let made = tournament.reviewed(GameKey { number, attempt })?;
            made.ok_or_else(|| ApiError::Missing("no review available for this game".to_owned()))
        })
        .await
}
