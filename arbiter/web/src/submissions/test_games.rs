//! Test games of participants: their own bot against bots of the league, for nothing.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::{Extension, Form};
use maud::{Markup, html};
use serde_json::{Value, json};

use super::answer::{AnswerFormat, RefusedRequest, as_json, blocking};
use super::bot_games::answers_table;
use super::pages;
use super::state::{RequestContext, SignedInParticipant, SubmissionService};
use league::BotVersion;
use league::audit;
use league::folder::LeagueFolder;
use league::test_games::record::{self, TestGame, TestGameRequester, TestGameStatus};
use league::test_games::{self, RequestedTestGame, TestGameChoices, TestGameView};
use report::html::layout::scrolled;

/// The form, and the test games that are kept, the last one first.
pub(super) async fn list(
    State(state): State<Arc<SubmissionService>>,
    Extension(asked): Extension<RequestContext>,
    SignedInParticipant { bot: name, .. }: SignedInParticipant,
    format: AnswerFormat,
) -> Result<Response, RefusedRequest> {
    let at_once = state.queues.tests.at_once.get();
    let (choices, own) = blocking(move || {
        let folder = asked.queue.folder();
        let (terms, _) = asked.queue.terms().map_err(RefusedRequest::ours)?;
        let choices = TestGameChoices::read(folder, &terms, &name)?;
        let own = record::by_participant(folder, &name);
        let own = own.map_err(RefusedRequest::ours)?.into_iter().rev();
        let own: Vec<_> = own.map(|game| own_test_game(&state, folder, game)).collect();
        Ok((choices, own))
    })
    .await?;
    Ok(match format {
        AnswerFormat::Page => page_of_list(&choices, &own, at_once).into_response(),
        AnswerFormat::Json => {
            let told: Vec<_> = own.iter().map(|it| it.line(None)).collect();
            as_json(StatusCode::OK, &json!({ "choices": choices, "test_games": told }))
        }
    })
}

/// Begins a test game, by a form with `bot` and `against`.
pub(super) async fn begin(
    State(state): State<Arc<SubmissionService>>,
    Extension(asked): Extension<RequestContext>,
    SignedInParticipant { by, bot }: SignedInParticipant,
    format: AnswerFormat,
    Form(fields): Form<Vec<(String, String)>>,
) -> Result<Response, RefusedRequest> {
    let requested = requested(&bot, fields)?;
    let game = blocking(move || {
        let folder = asked.queue.folder();
        let (terms, _) = asked.queue.terms().map_err(RefusedRequest::ours)?;
        let begin =
            || test_games::begin(folder, &terms, TestGameRequester::Participant, &requested);
        let game = state.queues.tests.ask(begin)?;
        let done = format!("{} against {}", game.record.bot, opponents(&game));
        audit::add_of_participant(folder, &by, "test-game", &done);
        Ok(own_test_game(&state, folder, game))
    })
    .await?;
    Ok(match format {
        AnswerFormat::Page => Redirect::to(&format!("./{}", game.game.number)).into_response(),
        AnswerFormat::Json => as_json(StatusCode::ACCEPTED, &game.line(None)),
    })
}

/// One test game of the participant, with its moves and the standard error of their bot.
pub(super) async fn show(
    State(state): State<Arc<SubmissionService>>,
    Extension(asked): Extension<RequestContext>,
    Path(number): Path<u64>,
    SignedInParticipant { bot: name, .. }: SignedInParticipant,
    format: AnswerFormat,
) -> Result<Response, RefusedRequest> {
    let (game, games) = blocking(move || {
        let folder = asked.queue.folder();
        let missing = || RefusedRequest::new(StatusCode::NOT_FOUND, "no such test game");
        let game = record::find(folder, &name, number).ok_or_else(missing)?;
        let own = own_test_game(&state, folder, game);
        // Until then its hands are no secret of a deal that counts, but a half-written log has little to show.
        let games = match own.is_undecided() {
            true => Vec::new(),
            false => test_games::games(folder, &own.game).map_err(RefusedRequest::ours)?,
        };
        // It may have ended between the two looks.
        let game = record::find(folder, &name, number).ok_or_else(missing)?;
        Ok((OwnTestGame { game, ..own }, games))
    })
    .await?;
    Ok(match format {
        AnswerFormat::Page => page_of_one(&game, &games).into_response(),
        AnswerFormat::Json => as_json(StatusCode::OK, &game.line(Some(&games))),
    })
}

/// A test game of the participant, with its state and its place in the queue.
struct OwnTestGame {
    game: TestGame,
    standing: TestGameStatus,
    place: Option<usize>,
}

fn own_test_game(state: &SubmissionService, folder: &LeagueFolder, game: TestGame) -> OwnTestGame {
    let place = state.queues.tests.place(folder, &game);
    OwnTestGame { standing: game.standing(folder), place, game }
}

impl OwnTestGame {
    fn line(&self, games: Option<&[TestGameView]>) -> Value {
        test_games::line(&self.game, self.standing, self.place, games)
    }

    fn is_undecided(&self) -> bool {
        matches!(self.standing, TestGameStatus::Waiting | TestGameStatus::Playing)
    }

    /// The state, with the place in the queue.
    fn status(&self) -> Markup {
        html! {
            (self.standing)
            @if let Some(place) = self.place { ", position " (place) }
        }
    }
}

/// Reads the form. A participant asks for a version of their own bot.
fn requested(
    name: &str,
    fields: Vec<(String, String)>,
) -> Result<RequestedTestGame, RefusedRequest> {
    let (mut bot, mut against) = (name.to_owned(), Vec::new());
    for (field, value) in fields {
        match field.as_str() {
            "bot" => bot = value,
            "against" => against.push(value),
            _ => {
                let why = "unknown field: use `bot` and `against`";
                return Err(RefusedRequest::new(StatusCode::BAD_REQUEST, why));
            }
        }
    }
    let is_own = bot == name || bot.parse().is_ok_and(|it: BotVersion| it.bot == name);
    match is_own {
        true => Ok(RequestedTestGame { bot, against }),
        false => {
            let why = format!("not your bot: choose a version of {name}");
            Err(RefusedRequest::new(StatusCode::BAD_REQUEST, why))
        }
    }
}

fn page_of_list(choices: &TestGameChoices, own: &[OwnTestGame], at_once: usize) -> Html<String> {
    let is_undecided = own.iter().any(OwnTestGame::is_undecided);
    let body = html! {
        main.wrap id="main" data-waiting[is_undecided] {
            (pages::hero(pages::TEST_GAMES, html! { "Unrated, and visible only to you." }))
            (pages::part("test-game", "Play a test game", form(choices, at_once)))
            (pages::part("test-games", "Your test games", html! {
                @if own.is_empty() { p { "No test games yet." } } @else { (table(own)) }
            }))
        }
    };
    pages::frame("test games", pages::TEST_GAMES, 1).page_of(body)
}

fn form(choices: &TestGameChoices, at_once: usize) -> Markup {
    let TestGameChoices { bots, against, opponents, left, limited, closed } = choices;
    html! {
        @if let Some(why) = closed {
            p { "Test games are not available: " (why) "." }
        } @else if bots.is_empty() {
            p { "You have no bot yet. " a href="../" { "Submit one" } "." }
        } @else if against.len() < *opponents {
            p { "There are no opponents now" @if let Some(why) = limited { ": " (why) } "." }
        } @else if *left == 0 {
            p { "Daily limit reached. Try again later." }
        } @else {
            form.hand-in data-sign data-then="number" method="post" action="./" {
                label for="bot" { "Your bot and its opponents" }
                select id="bot" name="bot" aria-label="Your bot" { (options(bots, 0)) }
                @for place in 0..*opponents {
                    select name="against" aria-label={ "Opponent " (place + 1) } { (options(against, place)) }
                }
                button type="submit" { "Play" }
            }
            p.told role="status" {}
            p.quiet {
                @if *opponents == 1 { "Two games are played, with seats swapped. " }
                @if let Some(why) = limited { "Only the organiser's bots are available as opponents: " (why) ". " }
                (left) " left today. Up to " (at_once) " run at once; participants take turns."
            }
        }
    }
}

/// Choices of which the one in this place is chosen at first.
fn options(bots: &[BotVersion], chosen: usize) -> Markup {
    html! {
        @for (place, bot) in bots.iter().enumerate() {
            option value=(bot) selected[place == chosen] { (bot) }
        }
    }
}

fn table(own: &[OwnTestGame]) -> Markup {
    scrolled(
        "Table of your test games",
        html! {
            table {
                thead { tr {
                    th scope="col" { "number" } th.word scope="col" { "status" } th.word scope="col" { "bot" }
                    th.word scope="col" { "against" }
                } }
                tbody { @for it in own { tr {
                    th scope="row" { a href={ "./" (it.game.number) } { (it.game.number) } }
                    td.word { (it.status()) }
                    td.word { (it.game.record.bot) }
                    td.word.wide { (opponents(&it.game)) }
                } } }
            }
        },
    )
}

fn opponents(game: &TestGame) -> String {
    game.record.against.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

fn page_of_one(own: &OwnTestGame, games: &[TestGameView]) -> Html<String> {
    let game = &own.game;
    let title = format!("Test game {}", game.number);
    let body = html! {
        main.wrap id="main" data-waiting[own.is_undecided()] {
            (pages::hero(&title, html! { (game.record.bot) " against " (opponents(game)) ". Unrated, and visible only to you." }))
            (pages::part("state", "Status", html! {
                p role="status" { span.badge { (own.status()) } }
                @if let Some(why) = game.why() { p { (why) } }
            }))
            @for (place, shown) in games.iter().enumerate() {
                (pages::part(&format!("game-{place}"), &shown.seats.join(", "), html! {
                    div.scroll role="group" aria-label="Moves" tabindex="0" { pre { (shown.text) } }
                    h3 { "Your bot's answers" }
                    @if shown.answers.is_empty() { p { "Your bot got no requests." } } @else { (answers_table(&shown.answers)) }
                }))
            }
        }
    };
    pages::frame(&title, pages::TEST_GAMES, 1).page_of(body)
}
