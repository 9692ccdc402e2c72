//! The addresses at which people play.
//!
//! | request | answer |
//! | --- | --- |
//! | `GET play/` | the page on which a game is chosen |
//! | `POST play/` | a form with `game`, `name`, `seat` and `bot` for each other seat; leads to the table |
//! | `GET play/rules/` | the rules of all games that are offered, in short |
//! | `GET play/SECRET/` | the page of a table |
//! | `GET play/SECRET/state?known=N&heard=M&after=V` | a [`TableView`] with the story from line N on and the events from M on; if V is its version, once something changes, or after some seconds |
//! | `POST play/SECRET/move` | `{"turn": N, "move": "…"}`; 422 with `{"problem": "…"}` for a wrong move, 409 for another turn |
//! | `GET play/SECRET/hint?turn=N` | `{"move": "…", "why": "…"}`, the move that `greedy` would play, and why |
//! | `POST play/SECRET/leave` | leaves the game |
//! | `GET play/SECRET/log` | the log, once the game is over, unless a bot wrote to standard error |
//! | `GET play/SECRET/game/…` | its report, with the viewer, under the same conditions |
//!
//! Nothing is kept in a browser but the address.
//!
//! [`TableView`]: super::table::TableView

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{DefaultBodyLimit, Form, Path, Query, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::time::{sleep, timeout};

use bots::review::reviewer_of;

use crate::client_address;
use crate::options::ReportOptions;
use crate::page::{nested, read};
use crate::people::page::AfterGameOffer;
use crate::people::{
    GameChoice, KnownLines, MoveError, PlayFolder, PlayTable, PreparedGame, TableLeaveCause,
    TableOffer, TableRefusal, page,
};
use crate::tournament::ServedTournament;
use league::replay_request::RoundMarks;
use person::move_list::MoveHint;
use record::stderr_texts::StderrVisibility;
use report::game_line::HandVisibility;
use report::growing_report::Disclosure;
use report::html::layout::PageLocation;
use sandbox::file;

/// The longest time that a page waits for a change.
const WAIT: Duration = Duration::from_secs(20);
/// The most pages that wait at one table for a change.
const MOST_PAGES: usize = 8;
/// The time that each further page waits, changed or not.
const PAUSE: Duration = Duration::from_secs(2);
/// The longest body, in bytes.
const LONGEST_BODY: usize = 8 << 10;
/// The longest log that is sent, in bytes: standard error of bots is most of it.
const LONGEST_LOG: u64 = 64 << 20;

pub(crate) fn routes(place: Arc<PlayFolder>) -> Router {
    Router::new()
        .route("/play", get(|| async { Redirect::permanent("play/") }))
        .route("/play/", get(choose).post(open))
        .route("/play/rules", get(|| async { Redirect::permanent("rules/") }))
        .route("/play/rules/", get(rules))
        .route("/play/{secret}", get(with_slash))
        .route("/play/{secret}/", get(table))
        .route("/play/{secret}/state", get(state))
        .route("/play/{secret}/move", post(play))
        .route("/play/{secret}/hint", get(hint))
        .route("/play/{secret}/leave", post(leave))
        .route("/play/{secret}/log", get(log))
        .route("/play/{secret}/game/{*path}", get(report))
        .layer(DefaultBodyLimit::max(LONGEST_BODY))
        .with_state(place)
}

async fn choose(State(place): State<Arc<PlayFolder>>) -> Response {
    read(move || match place.offer() {
        Ok(offer) => {
            Html(page::choose(&offer, place.people().occupancy()).into_string()).into_response()
        }
        Err(problem) => refused(StatusCode::INTERNAL_SERVER_ERROR, &problem),
    })
    .await
}

async fn rules(State(place): State<Arc<PlayFolder>>) -> Response {
    read(move || match place.offer() {
        Ok(offer) => Html(page::rules(&offer).into_string()).into_response(),
        Err(problem) => refused(StatusCode::INTERNAL_SERVER_ERROR, &problem),
    })
    .await
}

async fn open(
    State(place): State<Arc<PlayFolder>>,
    parts: Parts,
    Form(fields): Form<Vec<(String, String)>>,
) -> Response {
    let address = client_address::address(&parts.headers, &parts.extensions);
    let visitor = Some(address).filter(|address| !address.is_loopback());
    read(move || {
        // First, since the files of the bots are read for a game.
        let has_room =
            place.people().has_room(visitor).and_then(|()| place.people().visits(address));
        let wrong = |why| TableRefusal { status: StatusCode::UNPROCESSABLE_ENTITY, why };
        let opened = has_room.and_then(|()| {
            let offer = place.offer().map_err(wrong)?;
            let choice = chosen(&offer, &fields).map_err(wrong)?;
            let cast = PreparedGame::new(&offer, &choice).map_err(wrong)?;
            place.open(cast, visitor)
        });
        match opened {
            Ok(secret) => Redirect::to(&format!("{secret}/")).into_response(),
            Err(TableRefusal { status, why }) => refused(status, &why),
        }
    })
    .await
}

/// The choice in a form. Seats of bots that are left empty are none.
fn chosen(offer: &TableOffer, fields: &[(String, String)]) -> Result<GameChoice, String> {
    let field = |key: &str| {
        let found = fields.iter().find(|(known, _)| known == key).map(|(_, value)| value.as_str());
        found.ok_or_else(|| format!("the form has no `{key}`"))
    };
    let bots = fields.iter().filter(|(key, value)| key == "bot" && !value.is_empty());
    let seat = field("seat")?;
    let game = field("game")?;
    // Another custom game that this process has opened may have the same name.
    let kind = match offer.games.iter().find(|offered| offered.kind.name() == game) {
        Some(offered) => offered.kind.clone(),
        None => game.parse().map_err(|error: rules::NotText| error.to_string())?,
    };
    Ok(GameChoice {
        kind,
        name: field("name")?.trim().to_owned(),
        seat: seat.parse().map_err(|_| format!("invalid seat `{seat:.20}`: use a number"))?,
        opponents: bots.map(|(_, value)| value.clone()).collect(),
    })
}

async fn with_slash(Path(secret): Path<String>) -> Response {
    match secret.parse::<super::TableSecret>() {
        Ok(secret) => Redirect::permanent(&format!("{secret}/")).into_response(),
        Err(_) => missing_table(),
    }
}

async fn table(State(place): State<Arc<PlayFolder>>, Path(secret): Path<String>) -> Response {
    match find_table(&place, &secret) {
        Some(table) => {
            let is_reviewed = place.reviewing.is_some()
                && reviewer_of(&table.players.kind, &table.players.options).is_some();
            let after = if is_reviewed { AfterGameOffer::Review } else { AfterGameOffer::Replay };
            Html(page::table(&table, after).into_string()).into_response()
        }
        None => missing_table(),
    }
}

#[derive(Debug, Deserialize)]
struct TableQuery {
    /// The number of lines of the story that the page has.
    #[serde(default)]
    known: usize,
    #[serde(default)]
    heard: usize,
    /// The version that it has, if any.
    after: Option<u64>,
}

async fn state(
    State(place): State<Arc<PlayFolder>>,
    Path(secret): Path<String>,
    Query(known): Query<TableQuery>,
) -> Response {
    let Some(table) = find_table(&place, &secret) else { return no_table() };
    let waits = known.after.filter(|_| !table.stage().is_last());
    if waits.is_some() && table.pages() >= MOST_PAGES {
        sleep(PAUSE).await;
    } else if let Some(after) = waits {
        let _looking = PlayTable::look(&table);
        let mut changes = table.changes();
        // Either there is something new, or the page is told that there is not.
        let _ = timeout(WAIT, changes.wait_for(|version| *version != after)).await;
    }
    // One that does not wait has looked, too.
    drop(PlayTable::look(&table));
    let has = KnownLines { story: known.known, events: known.heard };
    Json(table.sight(has)).into_response()
}

#[derive(Debug, Deserialize)]
struct MoveBody {
    turn: u64,
    #[serde(rename = "move")]
    text: String,
}

async fn play(
    State(place): State<Arc<PlayFolder>>,
    Path(secret): Path<String>,
    Json(sent): Json<MoveBody>,
) -> Response {
    let Some(table) = find_table(&place, &secret) else { return no_table() };
    let shown = |played: String| json!({"move": played});
    read(move || move_response(table.play(sent.turn, &sent.text).map(shown))).await
}

#[derive(Debug, Deserialize)]
struct HintQuery {
    turn: u64,
}

async fn hint(
    State(place): State<Arc<PlayFolder>>,
    Path(secret): Path<String>,
    Query(on): Query<HintQuery>,
) -> Response {
    let Some(table) = find_table(&place, &secret) else { return no_table() };
    let shown = |hint: MoveHint| json!({"move": hint.text, "why": hint.reason});
    read(move || move_response(table.hint(on.turn).map(shown))).await
}

/// An answer about a move, or the reason why there is none, as JSON.
fn move_response(result: Result<Value, MoveError>) -> Response {
    let (status, problem) = match result {
        Ok(answer) => return Json(answer).into_response(),
        Err(MoveError::Late) => (StatusCode::CONFLICT, MoveError::Late.to_string()),
        Err(MoveError::Illegal(problem)) => (StatusCode::UNPROCESSABLE_ENTITY, problem),
    };
    (status, Json(json!({"problem": problem}))).into_response()
}

async fn leave(State(place): State<Arc<PlayFolder>>, Path(secret): Path<String>) -> Response {
    let Some(table) = find_table(&place, &secret) else { return no_table() };
    table.leave(TableLeaveCause::Asked);
    StatusCode::NO_CONTENT.into_response()
}

async fn log(State(place): State<Arc<PlayFolder>>, Path(secret): Path<String>) -> Response {
    let Some(table) = find_table(&place, &secret).filter(|table| table.gives_log()) else {
        return missing_table();
    };
    read(move || match file::text(table.log(), LONGEST_LOG) {
        Ok(text) => {
            let name = table.log().file_name().unwrap_or_default().to_string_lossy();
            let kept = format!("attachment; filename=\"{name}\"");
            let kept = HeaderValue::from_str(&kept)
                .unwrap_or_else(|_| HeaderValue::from_static("attachment"));
            let kind = HeaderValue::from_static("application/x-ndjson");
            let headers = [(header::CONTENT_TYPE, kind), (header::CONTENT_DISPOSITION, kept)];
            (headers, text).into_response()
        }
        Err(_) => missing_table(),
    })
    .await
}

async fn report(
    State(place): State<Arc<PlayFolder>>,
    Path((secret, path)): Path<(String, String)>,
    request: Request,
) -> Response {
    match find_table(&place, &secret).filter(|table| table.gives_log()) {
        Some(table) => {
            // A log that is over does not change any more, and what a bot writes to standard error is no
            // affair of who plays against it.
            let at = PageLocation::SERVED.self_updating();
            let disclosed =
                Disclosure { hands: HandVisibility::Public, errors: StderrVisibility::Hidden };
            let reviewing = place.reviewing.clone();
            let terms = ReportOptions {
                disclosed,
                reviewing,
                own_reviews: None,
                marks: RoundMarks::default(),
            };
            let pages = ServedTournament::new(table.log(), at, terms);
            nested(pages.routes(), &path, request).await
        }
        None => missing_table(),
    }
}

fn find_table(place: &PlayFolder, secret: &str) -> Option<Arc<PlayTable>> {
    place.table(secret.parse().ok()?)
}

/// The page with the reason why there is no game.
fn refused(status: StatusCode, problem: &str) -> Response {
    (status, Html(page::refused(problem).into_string())).into_response()
}

/// The page for a table that does not exist.
fn missing_table() -> Response {
    let page = page::missing_table_page().into_string();
    (StatusCode::NOT_FOUND, Html(page)).into_response()
}

/// The answer to a script of a table that does not exist.
fn no_table() -> Response {
    let problem = "this table is closed";
    (StatusCode::NOT_FOUND, Json(json!({"problem": problem}))).into_response()
}
