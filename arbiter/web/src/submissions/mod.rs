//! Takes in bots over the page of a league.
//!
//! # Theory of operation
//!
//! **A token stands for a participant** ([`client_address`](crate::client_address)), in the header `Authorization` of a
//! program or in the cookie of a browser, which no script sees and which comes with no request from
//! elsewhere. It is looked up by its digest, anew for each request, so one that is taken back is void at
//! once.
//!
//! **Everything is counted before it is read** ([`rates`](crate::rate_limits)): the requests of an address, its wrong tokens,
//! the files that a participant has handed in, and how many files are on their way, with the room that they take
//! ([`uploading`]). A body goes to a file piece by piece, and a slow sender is cut off, so memory does not depend on what
//! is sent.
//!
//! **The client waits for no check.** Submissions wait on the disk, in a queue for each league ([`SubmissionQueue`]).
//! The queues of a server share a number of places, at which several submissions are checked at once
//! ([`SubmissionQueues`]). Each answer tells the place in the queue.
//!
//! **Test games have a queue, too** ([`TestGameQueue`](league::test_games::queue::TestGameQueue)), and as many places of
//! their own.
//!
//! **A request reads little**: the public part of all submissions is in memory, and only the submissions that
//! a participant asks for are read.
//!
//! **A league whose settings cannot be read takes no bots**, and says so to participants. It is tried again
//! with the next request, so a mended file needs no restart. What pages disclose depends on the option
//! `--submit` alone ([`ServeOptions`](crate::options::ServeOptions)).
//!
//! **The public sees a verdict**: the bot, its version, and that it entered or at which step it was refused.
//! The reason, the report and the name of the file are for the participant alone ([`answer`]).

pub(super) mod answer;
mod bot_games;
pub(super) mod pages;
pub(super) mod signing_in;
pub(super) mod state;
mod steps;
mod test_games;
mod uploading;

use std::io::Read;
use std::sync::Arc;

use axum::extract::{DefaultBodyLimit, Path, Query, Request, State};
use axum::http::{StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use axum::{Extension, Router};
use serde::Deserialize;
use serde_json::json;

use crate::client_address;
use answer::{AnswerFormat, RefusedRequest, as_json, blocking};
use bot::spelt_as_names;
use bot::unpacking::UploadBounds;
use league::bot_games::faults;
use league::entry::queue::{PendingSubmissions, SubmissionQueue};
use league::keys::LeagueKeys;
use league::participants::Participants;
use league::state::Membership;
use league::submissions::{self, Submission, SubmissionSummary};
use pages::{OwnSubmissions, PageVisitor};
use state::{
    BotChoice, LONGEST_FORM, RequestContext, SignedInParticipant, SubmissionService, announced,
    frozen,
};

/// The private results of a participant that are described with the interface for programs.
#[cfg(test)]
pub(super) const PRIVATE: [&str; 3] = ["/games", "/games/{round}/{game}", "/stderr.jsonl"];

/// The most faults of a bot that are told: for each the log of a round may be read.
const FAULTS: usize = 10;

/// Routes of the pages and of the interface for programs, below an address that ends in a slash.
pub(super) fn routes(state: Arc<SubmissionService>) -> Router {
    let counted = Arc::clone(&state);
    Router::new()
        .route("/", get(overview).post(uploading::hand_in))
        .route("/sign-in", post(signing_in::sign_in))
        .route("/sign-out", post(signing_in::sign_out))
        .route("/register", post(signing_in::register))
        .route("/token", post(signing_in::renew))
        .route("/submissions/{number}", get(submission).delete(uploading::withdraw))
        .route("/submissions/{number}/withdraw", post(uploading::withdraw))
        .route("/submissions/{number}/file", get(file_of_submission))
        .route("/submissions/{number}/again", post(uploading::hand_in_again))
        .route("/bot", post(signing_in::choose_bot))
        .route("/choose", post(signing_in::choose))
        .route("/faults", get(own_faults))
        .route("/games", get(bot_games::list))
        .route("/games/{round}/{game}", get(bot_games::answers))
        .route("/stderr.jsonl", get(bot_games::texts))
        .route("/test-games", get(|| async { Redirect::permanent("test-games/") }))
        .route("/test-games/", get(test_games::list).post(test_games::begin))
        .route("/test-games/{number}", get(test_games::show))
        .route("/review/{round}/{game}", get(bot_games::own_moves))
        .layer(DefaultBodyLimit::max(LONGEST_FORM))
        .layer(middleware::from_fn_with_state(counted, count))
        .layer(middleware::from_fn(answer::write_refusals))
        .with_state(state)
}

/// Counts a request before anything is done for it.
async fn count(
    State(state): State<Arc<SubmissionService>>,
    mut request: Request,
    next: Next,
) -> Result<Response, RefusedRequest> {
    let address = client_address::address(request.headers(), request.extensions());
    state.count_request(address)?;
    let queue = state.queue().await?;
    let token = client_address::token(request.headers()).map(str::to_owned);
    let bot = asked_bot(&request);
    request.extensions_mut().insert(RequestContext { address, token, bot, queue });
    Ok(next.run(request).await)
}

/// The bot that an address names, or else the browser.
fn asked_bot(request: &Request) -> Option<BotChoice> {
    #[derive(Deserialize)]
    struct BotQuery {
        bot: Option<String>,
    }
    let named = Query::<BotQuery>::try_from_uri(request.uri()).ok().and_then(|it| it.0.bot);
    let named = named.map(|bot| BotChoice::Named(spelt_as_names(&bot)));
    let kept =
        || client_address::cookie(request.headers(), client_address::BOT_COOKIE).map(str::to_owned);
    named.or_else(|| kept().map(BotChoice::Kept))
}

async fn overview(
    State(state): State<Arc<SubmissionService>>,
    Extension(asked): Extension<RequestContext>,
    format: AnswerFormat,
) -> Result<Response, RefusedRequest> {
    let participant = match state.participant(&asked).await {
        // A browser with an old cookie gets the form.
        Err(_) if format == AnswerFormat::Page => None,
        participant => participant?,
    };
    let (visitor, own, latest, undecided, announced) = blocking(move || {
        let failed = RefusedRequest::ours;
        let (latest, undecided) = asked.queue.seen().map_err(failed)?;
        let folder = asked.queue.folder();
        let announced = announced(&asked.queue);
        let keys = LeagueKeys::read(folder).unwrap_or_default();
        let may_register = keys.registrations_left().is_some_and(|left| left > 0);
        let own = match &participant {
            Some(own) => own_submissions(&state, &asked.queue, own, &undecided)?,
            None => OwnSubmissions::default(),
        };
        let visitor = match participant {
            Some(own) => PageVisitor::Participant(own),
            None if may_register => PageVisitor::MayRegister,
            None => PageVisitor::Stranger,
        };
        Ok((visitor, own, latest, undecided, announced))
    })
    .await?;
    Ok(match format {
        AnswerFormat::Page => {
            pages::overview(&visitor, &announced, &own, &latest, &undecided).into_response()
        }
        AnswerFormat::Json => {
            let visitor = match &visitor {
                PageVisitor::Participant(own) => Some(own),
                PageVisitor::MayRegister | PageVisitor::Stranger => None,
            };
            let participant = visitor.map(|own| &own.by.participant);
            let (member, bot) =
                (visitor.and_then(|own| own.by.member.as_ref()), visitor.map(|own| &own.bot));
            let calendar = announced.calendar.times();
            let OwnSubmissions { all: own, playing, choices, deadline, bots, .. } = own;
            let deadline = deadline.map(|it| it.to_string());
            let own: Vec<_> =
                own.iter().map(|(it, standing)| answer::submission_json(it, *standing)).collect();
            let public = |it: &SubmissionSummary| {
                answer::public_json(it, undecided.standing(&it.participant, it.number))
            };
            let all: Vec<_> = latest.iter().map(public).collect();
            let names = |it: &[SubmissionSummary]| -> Vec<String> {
                it.iter().map(|it| it.participant.clone()).collect()
            };
            let checking = names(&undecided.checking);
            let queue = [checking.clone(), names(&undecided.waiting)].concat();
            let told = json!({
                "participant": participant, "member": member, "bot": bot, "bots": bots, "own": own, "all": all, "queue": queue,
                "checking": checking, "calendar": calendar, "playing": playing, "choices": choices, "deadline": deadline,
            });
            as_json(StatusCode::OK, &told)
        }
    })
}

/// The submissions of a bot of a participant, the version that plays, and those that can be chosen.
fn own_submissions(
    state: &SubmissionService,
    queue: &SubmissionQueue,
    own: &SignedInParticipant,
    undecided: &PendingSubmissions,
) -> Result<OwnSubmissions, RefusedRequest> {
    let (folder, name) = (queue.folder(), own.bot.as_str());
    let participants = Participants::read(folder).map_err(RefusedRequest::ours)?;
    let bots = participants.bots_beside(&own.by.participant);
    let bots = bots.into_iter().map(str::to_owned).collect();
    let takes_bots = queue.terms().map_or(1, |(terms, _)| terms.quotas.bots());
    let sent = submissions::by_participant(folder, name);
    let sent = sent.map_err(RefusedRequest::ours)?.into_iter().rev();
    let all = sent.map(|it| {
        let standing = undecided.standing(&it.participant, it.number);
        (it, standing)
    });
    let league = state.league().map_err(RefusedRequest::ours)?;
    let current = league.current(name).filter(|it| it.membership == Membership::Active);
    let playing = current.map(|member| member.entry.bot.clone());
    let versions = league.members().iter().rev().filter(|it| {
        playing.is_some()
            && it.entry.bot.bot == name
            && it.membership == Membership::Replaced
            && folder.has_files(&it.entry)
    });
    let choices = versions.map(|it| it.entry.bot.clone()).collect();
    let deadline = league.exceptions().deadline(&own.by.participant);
    let all = all.collect();
    Ok(OwnSubmissions { all, playing, choices, deadline, bots, takes_bots })
}

async fn submission(
    Extension(asked): Extension<RequestContext>,
    Path(number): Path<u64>,
    SignedInParticipant { bot: name, .. }: SignedInParticipant,
    format: AnswerFormat,
) -> Result<Response, RefusedRequest> {
    let (found, standing, report, is_kept, calendar) = blocking(move || {
        let folder = asked.queue.folder();
        let missing = || RefusedRequest::new(StatusCode::NOT_FOUND, "no such submission");
        let found = asked.queue.find(&name, number).map_err(RefusedRequest::ours)?;
        let (found, standing) = found.ok_or_else(missing)?;
        let so_far = || asked.queue.report_so_far(&name, number);
        let report = found.report(folder).or_else(so_far);
        let is_kept = found.content(folder).is_some();
        let calendar = announced(&asked.queue).calendar;
        Ok((found, standing, report, is_kept, calendar))
    })
    .await?;
    Ok(match format {
        AnswerFormat::Page => {
            pages::submission(&found, standing, report.as_deref(), is_kept, &calendar)
                .into_response()
        }
        AnswerFormat::Json => {
            let mut told = answer::submission_json(&found, standing);
            (told["report"], told["is_kept"]) = (json!(report), json!(is_kept));
            as_json(StatusCode::OK, &told)
        }
    })
}

async fn file_of_submission(
    Extension(asked): Extension<RequestContext>,
    Path(number): Path<u64>,
    SignedInParticipant { bot: name, .. }: SignedInParticipant,
) -> Result<impl IntoResponse, RefusedRequest> {
    let (found, bytes) = blocking(move || {
        let folder = asked.queue.folder();
        let none = || RefusedRequest::new(StatusCode::NOT_FOUND, "no such submission");
        let found = submissions::find(folder, &name, number).ok_or_else(none)?;
        let content = found.content(folder).ok_or_else(answer::not_stored)?;
        let mut bytes = Vec::new();
        let most = UploadBounds::DEFAULT.upload;
        content.take(most).read_to_end(&mut bytes).map_err(RefusedRequest::ours)?;
        Ok((found, bytes))
    })
    .await?;
    let sent = [
        (header::CONTENT_TYPE, "application/octet-stream".to_owned()),
        (header::CONTENT_DISPOSITION, attachment(&found)),
    ];
    Ok((sent, bytes))
}

/// The name under which a browser keeps a file: that of the upload, if it is plain.
fn attachment(submission: &Submission) -> String {
    let is_plain = |name: &&String| {
        let mut letters = name.chars();
        letters.all(|it| it.is_ascii_alphanumeric() || matches!(it, '.' | '-' | '_'))
    };
    let usual = || format!("{}-{}", submission.participant, submission.number);
    let name = submission.record.file.as_ref().filter(is_plain).cloned().unwrap_or_else(usual);
    format!("attachment; filename=\"{name}\"")
}

/// The last games that the participant's bot forfeited, with its standard error.
async fn own_faults(
    Extension(asked): Extension<RequestContext>,
    SignedInParticipant { bot: name, .. }: SignedInParticipant,
    format: AnswerFormat,
) -> Result<Response, RefusedRequest> {
    let told = blocking(move || {
        faults(asked.queue.folder(), frozen(&asked.queue)?, &name, FAULTS)
            .map_err(RefusedRequest::ours)
    })
    .await?;
    Ok(match format {
        AnswerFormat::Page => pages::faults(&told).into_response(),
        AnswerFormat::Json => as_json(StatusCode::OK, &json!({ "faults": told })),
    })
}
