//! What a participant chooses: the bot that the pages are about, and the version of it that plays.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Redirect, Response};
use axum::{Extension, Form};
use serde::Deserialize;
use serde_json::json;

use super::answer::{RefusedRequest, as_json, blocking};
use super::signing_in::{KEPT, with_cookie};
use super::state::{RequestContext, SignedIn, SubmissionPage};
use crate::sender;
use bot::spelt_as_names;
use league::BotVersion;
use league::audit;
use league::calendar;
use league::choice::{self, Chooser};
use league::submissions;

/// The version that a participant chooses.
#[derive(Debug, Deserialize)]
pub(super) struct ChoiceForm {
    bot: String,
}

/// Lets a version of the participant's bot play from the next round on.
pub(super) async fn choose(
    State(state): State<Arc<SubmissionPage>>,
    Extension(asked): Extension<RequestContext>,
    headers: HeaderMap,
    Form(ChoiceForm { bot }): Form<ChoiceForm>,
) -> Response {
    let chosen = async {
        let SignedIn { by, bot: name } = state.signed_in(&asked).await?;
        let own = bot.parse().ok().filter(|bot: &BotVersion| bot.bot == name);
        let bot = own.ok_or_else(|| {
            let why = format!("not your bot: choose a version of {name}, such as {name}@1");
            RefusedRequest::new(StatusCode::BAD_REQUEST, why)
        })?;
        blocking(move || {
            let terms = asked.queue.terms();
            let (terms, _) = terms.map_err(|failure| RefusedRequest::ours(&failure))?;
            let author = Chooser::Author { terms: &terms, at: calendar::now(), by: &by };
            choice::choose(asked.queue.folder(), &bot, author)?;
            audit::add_of_participant(asked.queue.folder(), &by, "choose", &bot.to_string());
            Ok(bot)
        })
        .await
    };
    match chosen.await {
        Err(refusal) => RefusedRequest::into_answer(refusal, &headers),
        Ok(_) if sender::wants_page(&headers) => Redirect::to("./").into_response(),
        Ok(bot) => as_json(StatusCode::OK, &json!({ "chosen": bot })),
    }
}

/// Lets a browser work on one of the participant's bots, which may be a new one.
pub(super) async fn choose_bot(
    State(state): State<Arc<SubmissionPage>>,
    Extension(asked): Extension<RequestContext>,
    headers: HeaderMap,
    Form(ChoiceForm { bot }): Form<ChoiceForm>,
) -> Response {
    let bot = spelt_as_names(bot.trim());
    let chosen = async {
        let by = state.signed_in(&asked).await?.by;
        let bot = bot.clone();
        blocking(move || claimed(&asked, &by.participant, &bot)).await
    };
    match chosen.await {
        Err(refusal) => RefusedRequest::into_answer(refusal, &headers),
        Ok(()) => {
            let there = Redirect::to("./").into_response();
            with_cookie(there, &headers, (sender::BOT_COOKIE, &bot), KEPT)
        }
    }
}

/// Keeps the name of a bot for a participant, unless it is theirs.
pub(super) fn claimed(
    asked: &RequestContext,
    participant: &str,
    bot: &str,
) -> Result<(), RefusedRequest> {
    let (terms, _) = asked.queue.terms().map_err(|failure| RefusedRequest::ours(&failure))?;
    Ok(submissions::claim_bot(asked.queue.folder(), &terms.quotas, participant, bot)?)
}
