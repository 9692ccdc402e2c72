//! The choice of the version that plays, by its author.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Redirect, Response};
use axum::{Extension, Form};
use serde::Deserialize;
use serde_json::json;

use super::answer::{RefusedRequest, as_json, blocking};
use super::state::{RequestContext, SubmissionPage};
use crate::sender;
use league::BotVersion;
use league::calendar;
use league::choice::{self, ChooseError, Chooser};
use text::failure::Failure;

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
        let name = state.signed_in(&asked).await?;
        let own = bot.parse().ok().filter(|bot: &BotVersion| bot.bot == name);
        let bot = own.ok_or_else(|| {
            let why = format!("not your bot: choose a version of {name}, such as {name}@1");
            RefusedRequest::new(StatusCode::BAD_REQUEST, why)
        })?;
        blocking(move || {
            let terms = asked.queue.terms();
            let (terms, _) = terms.map_err(|failure| RefusedRequest::ours(&failure))?;
            let author = Chooser::Author { terms: &terms, at: calendar::now() };
            choice::choose(asked.queue.folder(), &bot, author).map_err(refused)?;
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

fn refused(problem: ChooseError) -> RefusedRequest {
    match problem {
        ChooseError::Closed(why) => RefusedRequest::new(StatusCode::FORBIDDEN, why),
        ChooseError::Unfit(why) => RefusedRequest::new(StatusCode::CONFLICT, why),
        ChooseError::League(Failure::Later(why)) => {
            RefusedRequest::later(StatusCode::SERVICE_UNAVAILABLE, why, 10)
        }
        ChooseError::League(failure) => RefusedRequest::ours(&failure),
    }
}
