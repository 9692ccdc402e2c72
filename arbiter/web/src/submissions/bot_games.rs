//! All games of a participant's bot in finished rounds, and its answers in each, with its standard error; and
//! the review of a participant's own moves in a game, from what its seat knew: so it can be shown before all games of the
//! deal are over.

use std::sync::Arc;

use axum::Extension;
use axum::extract::{Path, Query, State};
use axum::http::{StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use bots::review::reviewer_of;
use maud::{Markup, html};
use serde::{Deserialize, Serialize};
use serde_json::json;
use series::game_status::GameStatus;

use super::answer::{AnswerFormat, RefusedRequest, as_json, blocking};
use super::pages;
use super::state::{RequestContext, SignedInParticipant, SubmissionService, frozen};
use crate::reviewing::ReviewUnavailable;
use league::bot_games::{BotAnswer, BotGame, find_game, for_author, is_frozen, open_log};
use league::index::RoundGame;
use league::{BotVersion, bot_games};
use record::checked_log::CheckedGame;
use report::html::layout::scrolled;
use review::{Decision, SeatFault, header_digest, review_game};
use text::printable;

const GAMES: usize = 100;

/// Where a list of games begins: before this game, written `ROUND-GAME`.
#[derive(Debug, Deserialize)]
pub(super) struct BeforeQuery {
    before: Option<String>,
}

impl BeforeQuery {
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
    Extension(asked): Extension<RequestContext>,
    Query(before): Query<BeforeQuery>,
    SignedInParticipant { bot: name, .. }: SignedInParticipant,
    format: AnswerFormat,
) -> Result<Response, RefusedRequest> {
    let before = before.game()?;
    let games = blocking(move || {
        let frozen = frozen(&asked.queue)?;
        bot_games::games(asked.queue.folder(), frozen, &name, before, GAMES)
            .map_err(RefusedRequest::ours)
    })
    .await?;
    Ok(match format {
        AnswerFormat::Page => page_of_games(&games).into_response(),
        AnswerFormat::Json => {
            as_json(StatusCode::OK, &json!({ "games": games, "before": next(&games) }))
        }
    })
}

pub(super) async fn answers(
    Extension(asked): Extension<RequestContext>,
    Path((round, game)): Path<(String, String)>,
    SignedInParticipant { bot: name, .. }: SignedInParticipant,
    format: AnswerFormat,
) -> Result<Response, RefusedRequest> {
    let missing = || {
        let why = "your bot has no game with this number in a finished round";
        RefusedRequest::new(StatusCode::NOT_FOUND, why)
    };
    let of = round.parse().ok().zip(game.parse().ok());
    let of = of.map(|(round, game)| RoundGame { round, game }).ok_or_else(missing)?;
    let answers = blocking(move || {
        let frozen = frozen(&asked.queue)?;
        bot_games::answers(asked.queue.folder(), frozen, &name, of).map_err(RefusedRequest::ours)
    });
    let answers = answers.await?.ok_or_else(missing)?;
    Ok(match format {
        AnswerFormat::Page => page_of_answers(of, &answers).into_response(),
        AnswerFormat::Json => {
            let told = json!({ "round": of.round, "game": of.game, "answers": answers });
            as_json(StatusCode::OK, &told)
        }
    })
}

/// The first round of a list of texts.
#[derive(Debug, Deserialize)]
pub(super) struct StderrTextsQuery {
    from: Option<String>,
}

/// What the participant's bot wrote to standard error in all finished rounds, a line of JSON for each game.
pub(super) async fn texts(
    State(state): State<Arc<SubmissionService>>,
    Extension(asked): Extension<RequestContext>,
    Query(StderrTextsQuery { from }): Query<StderrTextsQuery>,
    SignedInParticipant { bot: name, .. }: SignedInParticipant,
) -> Result<impl IntoResponse, RefusedRequest> {
    let wrong =
        |_| RefusedRequest::new(StatusCode::BAD_REQUEST, "invalid `from`: use a round, such as 3");
    let from = from.map_or(Ok(0), |from| from.parse::<u64>().map_err(wrong))?;
    let frozen = frozen(&asked.queue)?;
    let busy = || {
        let why = "too many downloads right now: try again later";
        RefusedRequest::later(StatusCode::SERVICE_UNAVAILABLE, why, 10)
    };
    let slot = state.texts.take().ok_or_else(busy)?;
    let kind = "application/jsonl".to_owned();
    let file = format!("attachment; filename=\"{name}-stderr.jsonl\"");
    let body = slot
        .body(move |out| bot_games::write_texts(asked.queue.folder(), frozen, &name, from, out));
    Ok(([(header::CONTENT_TYPE, kind), (header::CONTENT_DISPOSITION, file)], body))
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

/// The page, or the decisions as JSON.
pub(super) async fn own_moves(
    State(state): State<Arc<SubmissionService>>,
    Extension(asked): Extension<RequestContext>,
    Path((round, game)): Path<(String, String)>,
    format: AnswerFormat,
) -> Result<Response, RefusedRequest> {
    let name = match state.participant(&asked).await {
        Ok(Some(own)) => own.bot,
        // A browser with an old cookie also gets the way to the form.
        Ok(None) | Err(_) if format == AnswerFormat::Page => {
            return Ok((StatusCode::UNAUTHORIZED, sign_in_first()).into_response());
        }
        Ok(None) => {
            let why = "reviews of unfinished deals require the token of a participant";
            return Err(RefusedRequest::new(StatusCode::UNAUTHORIZED, why));
        }
        Err(refusal) => return Err(refusal),
    };
    let (Ok(round), Ok(game)) = (round.parse::<u64>(), game.parse::<u64>()) else {
        return Err(no_game());
    };
    let own = blocking(move || decisions(&state, &asked, &name, round, game)).await?;
    Ok(match format {
        AnswerFormat::Page => page(round, game, &own).into_response(),
        AnswerFormat::Json => {
            let OwnGame { fault, decisions } = own;
            let marks: Vec<_> = decisions.iter().map(Decision::mark).collect();
            let told = json!({ "round": round, "game": game, "fault": fault, "decisions": decisions,
                "marks": marks });
            as_json(StatusCode::OK, &told)
        }
    })
}

/// What a participant's bot did in a game.
#[derive(Debug, Serialize, Deserialize)]
struct OwnGame {
    /// The fault by which it lost, if it did.
    fault: Option<SeatFault>,
    decisions: Vec<Decision>,
}

fn decisions(
    state: &SubmissionService,
    asked: &RequestContext,
    name: &str,
    round: u64,
    game: u64,
) -> Result<OwnGame, RefusedRequest> {
    let Some(reviewing) = &state.reviewing else {
        return Err(RefusedRequest::new(
            StatusCode::NOT_FOUND,
            "reviews are disabled on this server",
        ));
    };
    let (frozen, of) = (frozen(&asked.queue)?, RoundGame { round, game });
    let hidden = is_frozen(asked.queue.folder(), frozen, of);
    if hidden.map_err(RefusedRequest::ours)? {
        return Err(no_game());
    }
    let opened = open_log(asked.queue.folder(), round);
    let mut log = opened.map_err(RefusedRequest::ours)?.ok_or_else(no_game)?;
    let series = log.series();
    if reviewer_of(series.kind(), &series.header().options).is_none() {
        return Err(RefusedRequest::new(StatusCode::NOT_FOUND, "this game cannot be reviewed"));
    }
    let series = log.series().clone();
    let key = format!("{} {game} {name}", header_digest(&series));
    // Reading a long log takes its turn as well.
    let made = reviewing.text(&key, || {
        let found = find_game(&mut log, game).map_err(|problem| problem.to_string())?;
        let Some(CheckedGame { game, status: GameStatus::Counts, .. }) = found else {
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
        let own = OwnGame { fault, decisions: reviewed.decisions };
        serde_json::to_string(&own).map(Some).map_err(|error| error.to_string())
    });
    let text = made.map_err(|problem| match problem {
        ReviewUnavailable::Busy => RefusedRequest::later(
            StatusCode::SERVICE_UNAVAILABLE,
            ReviewUnavailable::Busy.to_string(),
            3,
        ),
        ReviewUnavailable::Failed(problem) => RefusedRequest::ours(problem),
    })?;
    serde_json::from_slice(&text.ok_or_else(no_game)?).map_err(RefusedRequest::ours)
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

fn page(round: u64, game: u64, OwnGame { fault, decisions }: &OwnGame) -> Html<String> {
    let title = format!("Your moves in game {game} of round {round}");
    let body = html! {
        (pages::hero(&title, html! { "Visible only to you. Based on what your bot knew, not on the actual cards." }))
        @if let Some(SeatFault { verdict, detail, .. }) = fault { p {
            "Your bot lost this game because of a fault, not its moves: " (verdict) ": " (printable(detail))
        } }
        (pages::part("decisions", "Decisions, costliest first", html! {
            @if decisions.is_empty() { p { "No decisions with alternatives." } } @else { (moves_table(decisions)) }
        }))
    };
    pages::frame(&title, pages::GAMES, 2).page(body)
}

fn moves_table(decisions: &[Decision]) -> Markup {
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
