//! The review of a participant's own moves in a game, from what its seat knew: so it can be shown before all games of
//! the deal are over.

use std::sync::Arc;

use axum::Extension;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{Html, IntoResponse, Response};
use bots::review::reviewer_of;
use maud::{Markup, html};
use review::{Decision, SeatFault, header_digest, review_game};
use serde::{Deserialize, Serialize};
use serde_json::json;
use text::printable;

use super::answer::{RefusedRequest, as_json, blocking};
use super::pages;
use super::state::{RequestContext, SubmissionPage, frozen};
use crate::reviewing::ReviewUnavailable;
use crate::sender;
use league::BotVersion;
use league::bot_games::{RoundLog, for_author, is_frozen};
use league::index::RoundGame;
use record::fold::FoldedGame;
use report::html::layout::scrolled;
use series::game_status::GameStatus;

/// The page, or the decisions as JSON.
pub(super) async fn own_moves(
    State(state): State<Arc<SubmissionPage>>,
    Extension(asked): Extension<RequestContext>,
    Path((round, game)): Path<(String, String)>,
    headers: HeaderMap,
) -> Response {
    let name = match state.participant(&asked).await {
        Ok(Some(own)) => own.bot,
        // A browser with an old cookie also gets the way to the form.
        Ok(None) | Err(_) if sender::wants_page(&headers) => {
            return (StatusCode::UNAUTHORIZED, sign_in_first()).into_response();
        }
        Ok(None) => {
            let why = "reviews of unfinished deals require the token of a participant";
            return RefusedRequest::new(StatusCode::UNAUTHORIZED, why).into_answer(&headers);
        }
        Err(refusal) => return refusal.into_answer(&headers),
    };
    let (Ok(round), Ok(game)) = (round.parse::<u64>(), game.parse::<u64>()) else {
        return no_game().into_answer(&headers);
    };
    match blocking(move || decisions(&state, &asked, &name, round, game)).await {
        Err(refusal) => refusal.into_answer(&headers),
        Ok(own) if sender::wants_page(&headers) => page(round, game, &own).into_response(),
        Ok(OwnMoves { fault, decisions }) => {
            let marks: Vec<_> = decisions.iter().map(Decision::mark).collect();
            let told = json!({ "round": round, "game": game, "fault": fault, "decisions": decisions,
                "marks": marks });
            as_json(StatusCode::OK, &told)
        }
    }
}

/// What a participant's bot did in a game.
#[derive(Debug, Serialize, Deserialize)]
struct OwnMoves {
    /// The fault by which it lost, if it did.
    fault: Option<SeatFault>,
    decisions: Vec<Decision>,
}

/// The decisions of the bot of a participant in a game.
fn decisions(
    state: &SubmissionPage,
    asked: &RequestContext,
    name: &str,
    round: u64,
    game: u64,
) -> Result<OwnMoves, RefusedRequest> {
    let Some(reviewing) = &state.reviewing else {
        return Err(RefusedRequest::new(
            StatusCode::NOT_FOUND,
            "reviews are disabled on this server",
        ));
    };
    let (frozen, of) = (frozen(&asked.queue)?, RoundGame { round, game });
    let hidden = is_frozen(asked.queue.folder(), frozen, of);
    if hidden.map_err(|problem| RefusedRequest::ours(&problem))? {
        return Err(no_game());
    }
    let opened = RoundLog::open(asked.queue.folder(), round);
    let mut log = opened.map_err(|problem| RefusedRequest::ours(&problem))?.ok_or_else(no_game)?;
    let series = log.series();
    if reviewer_of(series.kind(), &series.header().options).is_none() {
        return Err(RefusedRequest::new(StatusCode::NOT_FOUND, "this game cannot be reviewed"));
    }
    let series = log.series().clone();
    let key = format!("{} {game} {name}", header_digest(&series));
    // Reading a long log takes its turn as well.
    let made = reviewing.text(&key, || {
        let found = log.game(game).map_err(|problem| problem.to_string())?;
        let Some(FoldedGame { game, status: GameStatus::Counts, .. }) = found else {
            return Ok(None);
        };
        let Some(bot) = of_participant(&game.seats, name) else { return Ok(None) };
        let reviewed = review_game(&series, &game, Some(bot.clone()));
        let reviewed = reviewed.map_err(|error| error.to_string())?;
        let is_own = |fault: &SeatFault| game.seats.get(fault.seat) == Some(&bot);
        let mut fault = reviewed.faults.into_iter().find(is_own);
        if let Some(SeatFault { detail, .. }) = &mut fault {
            *detail = for_author(asked.queue.folder(), &bot, detail);
        }
        let own = OwnMoves { fault, decisions: reviewed.decisions };
        serde_json::to_string(&own).map(Some).map_err(|error| error.to_string())
    });
    let text = made.map_err(|problem| match problem {
        ReviewUnavailable::Busy => RefusedRequest::later(
            StatusCode::SERVICE_UNAVAILABLE,
            ReviewUnavailable::Busy.to_string(),
            3,
        ),
        ReviewUnavailable::Failed(problem) => RefusedRequest::ours(&problem),
    })?;
    serde_json::from_slice(&text.ok_or_else(no_game)?).map_err(|error| RefusedRequest::ours(&error))
}

/// The bot of a participant among those of a game, with its version.
fn of_participant(seats: &[String], name: &str) -> Option<String> {
    let is_own = |seat: &&String| seat.parse().is_ok_and(|it: BotVersion| it.bot == name);
    seats.iter().find(is_own).cloned()
}

fn no_game() -> RefusedRequest {
    let why = "your bot has no rated game with this number";
    RefusedRequest::new(StatusCode::NOT_FOUND, why)
}

/// The page for a visitor who has not signed in.
fn sign_in_first() -> Html<String> {
    let title = "Review of your moves";
    let body = html! {
        (pages::hero(title, html! {}))
        p { "Until the deal is finished, only the authors of its bots can see a review." }
        p { a href="../../" { "Sign in with your token" } ", then reopen this page." }
    };
    pages::frame(title, pages::GAMES, 2).page(body)
}

fn page(round: u64, game: u64, OwnMoves { fault, decisions }: &OwnMoves) -> Html<String> {
    let title = format!("Your moves in game {game} of round {round}");
    let body = html! {
        (pages::hero(&title, html! { "Visible only to you. Based on what your bot knew, not on the actual cards." }))
        @if let Some(SeatFault { verdict, detail, .. }) = fault { p {
            "Your bot lost this game by a fault, not by its moves: " (verdict) ": " (printable(detail))
        } }
        (pages::part("decisions", "Decisions, costliest first", html! {
            @if decisions.is_empty() { p { "No decisions with alternatives." } } @else { (table(decisions)) }
        }))
    };
    pages::frame(&title, pages::GAMES, 2).page(body)
}

fn table(decisions: &[Decision]) -> Markup {
    let percent = |part: f64| format!("{:.1}%", 100.0 * part);
    let mut order: Vec<&Decision> = decisions.iter().collect();
    order.sort_by(|one, other| other.loss().total_cmp(&one.loss()));
    let cells = |decision: &Decision, place: usize| {
        let value = &decision.moves[place];
        html! { td.word { (printable(&value.mv)) } td { (percent(value.win)) } }
    };
    scrolled(
        "Table of decisions",
        html! {
            table {
                caption { "win probability, given the information available to your bot" }
                thead { tr {
                    th scope="col" { "move" } th.word scope="col" { "phase" }
                    th.word scope="col" { "played" } th scope="col" { "win %" }
                    th.word scope="col" { "best" } th scope="col" { "win %" }
                    th.word scope="col" { "mark" }
                } }
                tbody { @for decision in order { tr {
                    th scope="row" { (decision.number) } td.word { (printable(&decision.phase)) }
                    (cells(decision, decision.played)) (cells(decision, decision.best()))
                    td.word { @if let Some(mark) = decision.mark() { (mark) } }
                } } }
            }
        },
    )
}
