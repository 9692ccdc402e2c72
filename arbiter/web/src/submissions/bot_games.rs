//! All games of a participant's bot in finished rounds, and its answers in each, with its standard error.

use std::sync::Arc;

use axum::Extension;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use maud::{Markup, html};
use serde::Deserialize;
use serde_json::json;
use text::printable;

use super::answer::{RefusedRequest, as_json, blocking};
use super::pages;
use super::state::{RequestContext, SubmissionPage, frozen};
use crate::sender;
use league::bot_games::{self, BotAnswer, BotGame};
use league::index::RoundGame;
use report::html::layout::scrolled;

/// The games of one answer.
const GAMES: usize = 100;

/// Where a list of games begins: before this game, written `ROUND-GAME`.
#[derive(Debug, Deserialize)]
pub(super) struct GamesBefore {
    before: Option<String>,
}

impl GamesBefore {
    fn game(&self) -> Result<Option<RoundGame>, RefusedRequest> {
        let Some(text) = &self.before else { return Ok(None) };
        let game = text.split_once('-').and_then(|(round, game)| {
            Some(RoundGame { round: round.parse().ok()?, game: game.parse().ok()? })
        });
        let wrong = || {
            let why = "invalid `before`: use ROUND-GAME, such as 3-120";
            RefusedRequest::new(StatusCode::BAD_REQUEST, why)
        };
        game.ok_or_else(wrong).map(Some)
    }
}

/// The games, the last ones first.
pub(super) async fn list(
    State(state): State<Arc<SubmissionPage>>,
    Extension(asked): Extension<RequestContext>,
    Query(before): Query<GamesBefore>,
    headers: HeaderMap,
) -> Response {
    let found = async {
        let name = state.signed_in(&asked).await?.bot;
        let before = before.game()?;
        blocking(move || {
            let frozen = frozen(&asked.queue)?;
            bot_games::games(asked.queue.folder(), frozen, &name, before, GAMES)
                .map_err(|problem| RefusedRequest::ours(&problem))
        })
        .await
    };
    match found.await {
        Err(refusal) => refusal.into_answer(&headers),
        Ok(games) if sender::wants_page(&headers) => page_of_games(&games).into_response(),
        Ok(games) => as_json(StatusCode::OK, &json!({ "games": games, "before": next(&games) })),
    }
}

/// The answers of the participant's bot in one game.
pub(super) async fn answers(
    State(state): State<Arc<SubmissionPage>>,
    Extension(asked): Extension<RequestContext>,
    Path((round, game)): Path<(String, String)>,
    headers: HeaderMap,
) -> Response {
    let found = async {
        let name = state.signed_in(&asked).await?.bot;
        let missing = || {
            let why = "your bot has no game with this number in a finished round";
            RefusedRequest::new(StatusCode::NOT_FOUND, why)
        };
        let of = round.parse().ok().zip(game.parse().ok());
        let of = of.map(|(round, game)| RoundGame { round, game }).ok_or_else(missing)?;
        let answers = blocking(move || {
            let frozen = frozen(&asked.queue)?;
            bot_games::answers(asked.queue.folder(), frozen, &name, of)
                .map_err(|problem| RefusedRequest::ours(&problem))
        });
        answers.await?.ok_or_else(missing).map(|answers| (of, answers))
    };
    match found.await {
        Err(refusal) => refusal.into_answer(&headers),
        Ok((of, answers)) if sender::wants_page(&headers) => {
            page_of_answers(of, &answers).into_response()
        }
        Ok((of, answers)) => {
            let told = json!({ "round": of.round, "game": of.game, "answers": answers });
            as_json(StatusCode::OK, &told)
        }
    }
}

/// The first round of a list of texts.
#[derive(Debug, Deserialize)]
pub(super) struct TextsFrom {
    from: Option<String>,
}

/// What the participant's bot wrote to standard error in all finished rounds, a line of JSON for each game.
pub(super) async fn texts(
    State(state): State<Arc<SubmissionPage>>,
    Extension(asked): Extension<RequestContext>,
    Query(TextsFrom { from }): Query<TextsFrom>,
    headers: HeaderMap,
) -> Response {
    let found = async {
        let name = state.signed_in(&asked).await?.bot;
        let wrong = |_| {
            RefusedRequest::new(StatusCode::BAD_REQUEST, "invalid `from`: use a round, such as 3")
        };
        let from = from.map_or(Ok(0), |from| from.parse::<u64>().map_err(wrong))?;
        let frozen = frozen(&asked.queue)?;
        let file = format!("attachment; filename=\"{name}-stderr.jsonl\"");
        let busy = || {
            let why = "too many downloads right now: try again later";
            RefusedRequest::later(StatusCode::SERVICE_UNAVAILABLE, why, 10)
        };
        let slot = state.texts.take().ok_or_else(busy)?;
        let body = slot.body(move |out| {
            bot_games::write_texts(asked.queue.folder(), frozen, &name, from, out)
        });
        Ok((file, body))
    };
    match found.await {
        Err(refusal) => RefusedRequest::into_answer(refusal, &headers),
        Ok((file, body)) => {
            let kind = "application/jsonl".to_owned();
            let sent = [(header::CONTENT_TYPE, kind), (header::CONTENT_DISPOSITION, file)];
            (sent, body).into_response()
        }
    }
}

/// The game before which a list goes on, if it may.
fn next(games: &[BotGame]) -> Option<String> {
    let last = games.last().filter(|_| games.len() == GAMES)?;
    Some(format!("{}-{}", last.own.game.round, last.own.game.game))
}

fn page_of_games(games: &[BotGame]) -> Html<String> {
    let body = html! {
        (pages::hero(pages::GAMES, html! { "All games in finished rounds, latest first. Visible only to you." }))
        (pages::part("games", "Games", html! {
            @if games.is_empty() { p { "No games yet." } } @else {
                p { a href="stderr.jsonl" download { "Download the standard error and notes of all games" } }
                (table(games))
            }
            @if let Some(before) = next(games) {
                p { a href={ "games?before=" (before) } { "Earlier games" } }
            }
        }))
    };
    pages::frame("games of your bot", pages::GAMES, 0).page(body)
}

fn table(games: &[BotGame]) -> Markup {
    scrolled(
        "Table of games",
        html! {
            table {
                thead { tr {
                    th.word scope="col" { "game" } th.word scope="col" { "bot" } th.word scope="col" { "against" }
                    th scope="col" { "place" } th.word scope="col" { "fault" } th.word scope="col" { "answers" }
                } }
                tbody { @for game in games {
                    @let (round, number) = (game.own.game.round, game.own.game.game);
                    tr {
                        th.word scope="row" {
                            a href={ "../rounds/" (round) "/game.html#game=" (number) } { "round " (round) ", game " (number) }
                        }
                        td.word { (game.bot) }
                        td.word.wide { (game.others.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")) }
                        td { (game.own.place) }
                        td.word {
                            @if let Some(fault) = game.own.fault { span.badge.bad { (fault) } }
                            @if game.own.is_suspect { " suspect" }
                            @if game.own.is_void { " void" }
                        }
                        td.word { a href={ "games/" (round) "/" (number) } { "answers and standard error" } }
                    }
                } }
            }
        },
    )
}

fn page_of_answers(of: RoundGame, answers: &[BotAnswer]) -> Html<String> {
    let title = format!("Answers in game {} of round {}", of.game, of.round);
    let body = html! {
        (pages::hero(&title, html! {
            "Visible only to you. "
            a href={ "../../../rounds/" (of.round) "/game.html#game=" (of.game) } { "Open in the game viewer" }
        }))
        (pages::part("answers", "Answers", html! {
            @if answers.is_empty() { p { "Your bot got no requests." } } @else { (answers_table(answers)) }
        }))
    };
    pages::frame(&title, pages::GAMES, 2).page(body)
}

/// The answers of a bot, with its standard error.
pub(super) fn answers_table(answers: &[BotAnswer]) -> Markup {
    scrolled(
        "Table of answers",
        html! {
            table {
                thead { tr {
                    th scope="col" { "answer" } th.word scope="col" { "printed" } th.word scope="col" { "verdict" }
                    th scope="col" { "ms" } th.word scope="col" { "standard error" }
                } }
                tbody { @for (number, answer) in answers.iter().enumerate() { tr {
                    th scope="row" { (number + 1) }
                    td.word.wide { code { (printable(&answer.printed)) } }
                    td.word.wide {
                        (answer.verdict)
                        @if !answer.detail.is_empty() { ": " (printable(&answer.detail)) }
                    }
                    td { (format!("{:.1}", answer.ms)) }
                    td.word.wide {
                        @for line in answer.stderr.lines() { code { (printable(line)) } br; }
                        @if let Some(hint) = answer.hint { b { "hint: " } (hint) }
                    }
                } } }
            }
        },
    )
}
