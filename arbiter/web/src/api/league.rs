//! The answers about a league. What its rounds have as tournaments is below `rounds/N/`.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Path, Request, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use serde_json::{Value, json};

use super::answer::{ApiError, ApiRoute, root_answer, routes, text};
use super::queries::{self, ApiRequest, LeagueGamesQuery, ListQuery, cursor, numbered, page};
use super::{cors, tournament};
use crate::league::{ServedLeague, events};
use crate::page::{nested, read};
use crate::published_log::ARCHIVE;
use crate::tournament::ReportTextError;
use league::index::{IndexError, LeagueIndex};
use report::growing_report::values::GameRows;
use report::league::{LeaguePage, LeagueReport};

/// The routes that only a league has.
pub(super) fn league_routes() -> [ApiRoute<ServedLeague>; 11] {
    [
        ("/", get(first)),
        ("/standings", get(standings)),
        ("/bots", get(bots)),
        ("/bots/{bot}", get(bot)),
        ("/games", get(games)),
        ("/rounds", get(rounds)),
        ("/rounds/{round}", get(round)),
        ("/stages", get(stages)),
        ("/refused", get(refused)),
        ("/log.tar", get(log)),
        ("/events", get(events)),
    ]
}

pub(super) fn of_round(path: &str) -> String {
    format!("/rounds/{{round}}{path}")
}

/// The lists that the first answer leads to.
const LISTS: [&str; 8] =
    ["standings", "bots", "games", "rounds", "stages", "refused", "live", "events"];

async fn first(State(league): State<Arc<ServedLeague>>, asked: ApiRequest) -> Response {
    asked
        .answer(move |asked| {
            asked.no_query()?;
            cached_value(&league, "api", |reading, _| {
                let mut told = reading.about();
                told["reviews"] = json!(league.makes_reviews());
                Ok(Some(root_answer("league", told, &LISTS)))
            })
        })
        .await
}

async fn standings(State(league): State<Arc<ServedLeague>>, asked: ApiRequest) -> Response {
    asked
        .answer(move |asked| {
            asked.no_query()?;
            let found = league.part("data/standings.json", LeaguePage::Standings);
            found.map_err(ApiError::Broken)?.ok_or_else(nothing)
        })
        .await
}

async fn bots(State(league): State<Arc<ServedLeague>>, asked: ApiRequest) -> Response {
    asked
        .answer(move |asked| {
            let asked: ListQuery = asked.query()?;
            let limit = asked.limit()?;
            let found = league.compute(|reading, _| {
                let members = reading.league.members();
                let first = match &asked.after {
                    None => Some(0),
                    Some(after) => members
                        .iter()
                        .position(|it| it.entry.bot.to_string() == *after)
                        .map(|place| place + 1),
                };
                Ok(first.map(|first| page("bots", reading.versions(first), limit)))
            });
            let wrong = || ApiError::Wrong("unknown bot in `after`: use NAME@VERSION".to_owned());
            Ok(Bytes::from(text(&found.map_err(ApiError::Broken)?.ok_or_else(wrong)?)))
        })
        .await
}

async fn bot(
    State(league): State<Arc<ServedLeague>>,
    Path(bot): Path<String>,
    asked: ApiRequest,
) -> Response {
    asked
        .answer(move |asked| {
            asked.no_query()?;
            cached_value(&league, &format!("api/bots/{bot}"), |reading, index| {
                reading.bot(&bot, index)
            })
            .map_err(|why| match why {
                ApiError::Missing(_) => ApiError::Missing("no such bot: see `bots`".to_owned()),
                other => other,
            })
        })
        .await
}

async fn rounds(State(league): State<Arc<ServedLeague>>, asked: ApiRequest) -> Response {
    list(league, asked, |reading, first, limit| {
        page("rounds", numbered(reading.rounds(first)), limit)
    })
    .await
}

async fn stages(State(league): State<Arc<ServedLeague>>, asked: ApiRequest) -> Response {
    list(league, asked, |reading, first, limit| {
        page("stages", numbered(reading.stages(first)), limit)
    })
    .await
}

async fn refused(State(league): State<Arc<ServedLeague>>, asked: ApiRequest) -> Response {
    list(league, asked, |reading, first, limit| {
        page("refused", numbered(reading.refusals(first)), limit)
    })
    .await
}

/// The log for everybody, as an archive that is made while it is sent.
async fn log(State(league): State<Arc<ServedLeague>>, asked: ApiRequest) -> Response {
    read(move || {
        let archive = || Ok::<_, ApiError>(league.published().archive()?);
        match asked.no_query().and_then(|()| archive()) {
            Ok(body) => {
                let sent = [
                    (header::CONTENT_TYPE, ARCHIVE),
                    (header::CONTENT_DISPOSITION, "attachment; filename=\"league.tar\""),
                ];
                (sent, body).into_response()
            }
            Err(why) => why.into_response(),
        }
    })
    .await
}

/// A list whose rows have the numbers from 0 on.
async fn list(
    league: Arc<ServedLeague>,
    asked: ApiRequest,
    list: fn(&LeagueReport, usize, usize) -> Value,
) -> Response {
    asked
        .answer(move |asked| {
            let asked: ListQuery = asked.query()?;
            let (first, limit) = (asked.first_row()?, asked.limit()?);
            let found = league.compute(|reading, _| Ok(list(reading, first, limit)));
            Ok(Bytes::from(text(&found.map_err(ApiError::Broken)?)))
        })
        .await
}

async fn round(
    State(league): State<Arc<ServedLeague>>,
    Path(round): Path<String>,
    asked: ApiRequest,
) -> Response {
    asked
        .answer(move |asked| {
            let number = queries::round(&round)?;
            asked.no_query()?;
            cached_value(&league, &format!("api/rounds/{number}"), |reading, index| {
                reading.round(number, index)
            })
        })
        .await
}

/// Hands a request on to the answers about one round.
pub(super) async fn round_report(
    State(league): State<Arc<ServedLeague>>,
    request: Request,
) -> Response {
    let path = request.uri().path().to_owned();
    let found = path.strip_prefix("/rounds/").and_then(|rest| rest.split_once('/'));
    let Some((round, rest)) = found else { return cors::missing() };
    let number = match queries::round(round) {
        Ok(number) => number,
        Err(why) => return why.into_response(),
    };
    match tokio::task::spawn_blocking(move || league.round(number)).await {
        Ok(Some(round)) => nested(routes(tournament::report(), round), rest, request).await,
        _ => ApiError::Missing("no such round: see `rounds`".to_owned()).into_response(),
    }
}

async fn games(State(league): State<Arc<ServedLeague>>, asked: ApiRequest) -> Response {
    asked.answer(move |asked| listed(&league, &asked.query()?)).await
}

/// Games of one round, and where the list goes on: in the same round, or in the next one with a bot that is asked for.
fn listed(league: &ServedLeague, asked: &LeagueGamesQuery) -> Result<Bytes, ApiError> {
    let (only, after, most) = (asked.round()?, asked.after()?, asked.limit()?);
    let bots = asked.bots();
    let (first, key) = match (only, after) {
        (_, Some((round, Some(key)))) => (round, Some(key)),
        (_, Some((round, None))) => (round.saturating_add(1), None),
        (Some(only), None) => (only, None),
        (None, None) => (0, None),
    };
    let found = league.compute(|reading, _| {
        let rounds = reading.league.rounds().iter().filter(|round| {
            let number = round.line.round;
            number >= first && only.is_none_or(|only| number == only)
        });
        let mut with_bot = rounds
            .filter(|round| {
                let names: Vec<String> = round.line.bots.iter().map(ToString::to_string).collect();
                bots.can_meet(&names.iter().map(String::as_str).collect::<Vec<_>>())
            })
            .map(|round| round.line.round);
        let members = reading.league.members().iter().map(|it| it.entry.bot.to_string());
        let members: Vec<String> = members.collect();
        let known = bots.places(&members.iter().map(String::as_str).collect::<Vec<_>>());
        let is_round = only.is_none_or(|only| only < reading.league.rounds().len() as u64);
        let at = with_bot.next();
        Ok((at, with_bot.next().is_some(), known, is_round))
    });
    let (at, has_more, known, is_round) = found.map_err(ApiError::Broken)?;
    known?;
    if !is_round {
        return Err(ApiError::Wrong("unknown `round`: see `rounds`".to_owned()));
    }
    let nothing = json!({ "round": null, "names": [], "games": [], "next": null });
    let Some(at) = at else { return Ok(Bytes::from(text(&nothing))) };
    let Some(round) = league.round(at) else { return Ok(Bytes::from(text(&nothing))) };
    let key = key.filter(|_| at == first);
    let rows = match tournament::rows(&round, key, most, bots) {
        // A round knows its own bots only.
        Ok(rows) => rows.unwrap_or_default(),
        // A round that was announced may have no game.
        Err(ReportTextError::Nothing(_)) => GameRows::default(),
        Err(wrong) => return Err(wrong.into()),
    };
    let next = match rows.next {
        Some(key) => Some(format!("{at}-{}", cursor(key))),
        None => has_more.then(|| at.to_string()),
    };
    let told = json!({ "round": at, "names": rows.names, "games": rows.games, "next": next });
    Ok(Bytes::from(text(&told)))
}

fn cached_value(
    league: &ServedLeague,
    name: &str,
    make: impl FnOnce(&LeagueReport, &LeagueIndex) -> Result<Option<Value>, IndexError>,
) -> Result<Bytes, ApiError> {
    let found =
        league.cached_text(name, |reading, index| Ok(make(reading, index)?.as_ref().map(text)));
    found.map_err(ApiError::Broken)?.ok_or_else(nothing)
}

fn nothing() -> ApiError {
    ApiError::Missing("not found".to_owned())
}
