//! Takes in files of participants: each is told its place, or refused before it is read.
//!
//! The number of files on their way has a bound, and so has the room that they take together. A sender beyond
//! that waits for a moment; a slow one is cut off ([`received`]). Only files that are taken count for the rate
//! of their participant.

use std::io;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Extension;
use axum::body::{Body, BodyDataStream};
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use bot::unpacking::UploadBounds;
use bytesize::ByteSize;
use rules::Digest;
use sandbox::new_file;
use serde::Deserialize;
use tempfile::NamedTempFile;
use tokio_stream::StreamExt;

use super::answer::{self, AnswerFormat, RefusedRequest, as_json, blocking};
use super::signing_in::claimed;
use super::state::{BotChoice, RequestContext, SignedInParticipant, SubmissionService};
use league::entry::queue::QueuePosition;
use league::folder::LeagueFolder;
use league::participants::TokenHolder;
use league::submissions::{ParticipantUpload, Submission};
use league::{audit, calendar, submissions};

/// The most bytes that are read of a refused body: of a participant's, and of a stranger's.
const DRAINED: (u64, u64) = (32 << 20, 1 << 20);

/// The parameters of a request with a file.
#[derive(Debug, Deserialize)]
pub(super) struct UploadQuery {
    file: Option<String>,
}

pub(super) async fn hand_in(
    State(state): State<Arc<SubmissionService>>,
    Extension(asked): Extension<RequestContext>,
    Query(sent): Query<UploadQuery>,
    (headers, format): (HeaderMap, AnswerFormat),
    body: Body,
) -> Result<Response, RefusedRequest> {
    let mut stream = body.into_data_stream();
    let own = match participant(&state, &asked).await {
        Ok(own) => own,
        Err(refusal) => {
            drain(&mut stream, DRAINED.1).await;
            return Err(refusal);
        }
    };
    match taken_in(&state, &asked, &headers, (own, sent.file), &mut stream).await {
        Err(refusal) => {
            if refusal.status != StatusCode::REQUEST_TIMEOUT {
                drain(&mut stream, DRAINED.0).await;
            }
            Err(refusal)
        }
        Ok((submission, standing)) => Ok(match format {
            AnswerFormat::Page => {
                Redirect::to(&format!("submissions/{}", submission.number)).into_response()
            }
            AnswerFormat::Json => {
                as_json(StatusCode::ACCEPTED, &answer::submission_json(&submission, standing))
            }
        }),
    }
}

/// The sender of a file, and the digest of the token that came with it. A new name of a bot is kept for them.
async fn participant(
    state: &Arc<SubmissionService>,
    asked: &RequestContext,
) -> Result<(SignedInParticipant, Digest), RefusedRequest> {
    let Some(token) = &asked.token else {
        let why = "token required: -H 'Authorization: Bearer TOKEN'";
        return Err(RefusedRequest::new(StatusCode::UNAUTHORIZED, why));
    };
    if let Some(BotChoice::Named(bot)) = &asked.bot {
        let (_, by) = state.with_token(token.clone(), asked.address).await?;
        let (asked, bot) = (asked.clone(), bot.clone());
        blocking(move || claimed(&asked, &by.participant, &bot)).await?;
    }
    let own = state.signed_in(asked).await?;
    Ok((own, Digest::hash(token.as_bytes())))
}

/// Adds the action of handing in a file.
fn note(folder: &LeagueFolder, by: &TokenHolder, taken: &Submission) {
    let done = format!("submission {} of {}", taken.number, taken.participant);
    audit::add_of_participant(folder, by, "submit", &done);
}

async fn taken_in(
    state: &Arc<SubmissionService>,
    asked: &RequestContext,
    headers: &HeaderMap,
    ((own, token), file): ((SignedInParticipant, Digest), Option<String>),
    stream: &mut BodyDataStream,
) -> Result<(Submission, QueuePosition), RefusedRequest> {
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
    if text(header::CONTENT_TYPE).is_some_and(|kind| kind.starts_with("multipart/")) {
        let why = "send the file itself, not a form: --data-binary @bot.zip";
        return Err(RefusedRequest::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, why));
    }
    let most = UploadBounds::DEFAULT.upload;
    let length = text(header::CONTENT_LENGTH).and_then(|length| length.parse::<u64>().ok());
    if length.is_some_and(|length| length > most) {
        return Err(too_long(most));
    }
    let SignedInParticipant { by, bot } = own;
    let _sending = state.arrivals.begin(&by.participant)?;
    // Only one that is taken counts: this one may yet break off.
    state.uploads.has_turn(&by.participant, Instant::now())?;
    let (queue, sent) = (Arc::clone(&asked.queue), bot.clone());
    blocking(move || Ok(queue.must_have_room(&sent)?)).await?;
    let _place = state.arrivals.place(length.unwrap_or(most)).await?;
    let queue = Arc::clone(&asked.queue);
    let folder = move || submissions::arriving(queue.folder());
    let content = received(stream, folder, most).await?;
    let at = calendar::now();
    let (state, queue) = (Arc::clone(state), Arc::clone(&asked.queue));
    // The thread ends its work also where the sender is gone by then.
    blocking(move || {
        let (participant, member, file) = (bot.as_str(), by.member.as_deref(), file.as_deref());
        let taken =
            queue.take_in(ParticipantUpload { participant, token, member, content, file, at })?;
        note(queue.folder(), &by, &taken);
        // The file is there in any case, and no other one is sent by this participant meanwhile.
        let _ = state.uploads.take(by.participant, Instant::now());
        let (_, undecided) = queue.seen().map_err(RefusedRequest::ours)?;
        let standing = undecided.standing(&bot, taken.number);
        Ok((taken, standing))
    })
    .await
}

/// Hands in once more the file of an earlier submission of the participant.
pub(super) async fn hand_in_again(
    State(state): State<Arc<SubmissionService>>,
    Extension(asked): Extension<RequestContext>,
    Path(number): Path<u64>,
    format: AnswerFormat,
) -> Result<Response, RefusedRequest> {
    let (SignedInParticipant { by, bot }, token) = participant(&state, &asked).await?;
    let sending = state.arrivals.begin(&by.participant)?;
    state.uploads.has_turn(&by.participant, Instant::now())?;
    let at = calendar::now();
    let (queue, sender) = (Arc::clone(&asked.queue), by.clone());
    let taken = blocking(move || {
        queue.must_have_room(&bot)?;
        let (content, file) = copied(queue.folder(), &bot, number)?;
        let (participant, file) = (bot.as_str(), file.as_deref());
        let member = sender.member.as_deref();
        let upload = ParticipantUpload { participant, token, member, content, file, at };
        let taken = queue.take_in(upload)?;
        note(queue.folder(), &sender, &taken);
        Ok(taken)
    })
    .await?;
    let _ = state.uploads.take(by.participant, Instant::now());
    drop(sending);
    if format == AnswerFormat::Page {
        return Ok(Redirect::to(&format!("../{}", taken.number)).into_response());
    }
    let told = blocking(move || {
        let (_, undecided) = asked.queue.seen().map_err(RefusedRequest::ours)?;
        let standing = undecided.standing(&taken.participant, taken.number);
        Ok(answer::submission_json(&taken, standing))
    });
    Ok(as_json(StatusCode::ACCEPTED, &told.await?))
}

/// A copy of the file of an earlier submission, and its name.
fn copied(
    folder: &LeagueFolder,
    participant: &str,
    number: u64,
) -> Result<(NamedTempFile, Option<String>), RefusedRequest> {
    let found = submissions::find(folder, participant, number).ok_or_else(answer::not_stored)?;
    let mut content = found.content(folder).ok_or_else(answer::not_stored)?;
    let copy = submissions::arriving(folder).and_then(|into| {
        let mut copy = new_file::file_in(&into)?;
        io::copy(&mut content, &mut copy)?;
        Ok(copy)
    });
    Ok((copy.map_err(RefusedRequest::ours)?, found.record.file))
}

pub(super) async fn withdraw(
    Extension(asked): Extension<RequestContext>,
    Path(number): Path<u64>,
    SignedInParticipant { by, bot }: SignedInParticipant,
    format: AnswerFormat,
) -> Result<Response, RefusedRequest> {
    let withdrawn = blocking(move || {
        let withdrawn = asked.queue.withdraw(&bot, number)?;
        let done = format!("submission {number} of {bot}");
        audit::add_of_participant(asked.queue.folder(), &by, "withdraw", &done);
        Ok(withdrawn)
    })
    .await?;
    Ok(match format {
        AnswerFormat::Page => Redirect::to("../../").into_response(),
        AnswerFormat::Json => {
            as_json(StatusCode::OK, &answer::submission_json(&withdrawn, QueuePosition::Decided))
        }
    })
}

/// The longest time that a body may take, in all.
const TIME: Duration = Duration::from_secs(110);
/// A sender must deliver at least [`LEAST`] bytes in each period of waiting for it.
const PERIOD: Duration = Duration::from_secs(10);
/// The least that comes in a [`PERIOD`], in bytes.
const LEAST: u64 = 64 << 10;
/// The bytes that are gathered before they are written.
const PIECE: usize = 128 << 10;
/// The longest time for which the rest of a refused body is read.
const DRAINED_FOR: Duration = Duration::from_secs(10);

/// Writes a body to a new file in this folder, piece by piece. If it is refused, nothing is left of it.
pub(super) async fn received(
    stream: &mut BodyDataStream,
    folder: impl FnOnce() -> io::Result<PathBuf> + Send + 'static,
    most: u64,
) -> Result<NamedTempFile, RefusedRequest> {
    let failed = |error: io::Error| RefusedRequest::ours(error);
    let mut file =
        blocking(move || folder().and_then(|into| new_file::file_in(&into)).map_err(failed))
            .await?;
    let begun = Instant::now();
    let mut pace = UploadPace::default();
    let (mut gathered, mut length) = (Vec::new(), 0_u64);
    loop {
        let piece = pace.next(stream).await?;
        let is_last = piece.is_none();
        if let Some(piece) = piece {
            length = length.saturating_add(piece.len() as u64);
            if length > most {
                return Err(too_long(most));
            }
            gathered.extend_from_slice(&piece);
        }
        if begun.elapsed() > TIME {
            let why = format!("upload timed out after {} s", TIME.as_secs());
            return Err(RefusedRequest::new(StatusCode::REQUEST_TIMEOUT, why));
        }
        if gathered.len() >= PIECE || (is_last && !gathered.is_empty()) {
            (file, gathered) = blocking(move || {
                file.write_all(&gathered).map_err(failed)?;
                gathered.clear();
                Ok((file, gathered))
            })
            .await?;
        }
        if is_last {
            break;
        }
    }
    match length {
        0 => Err(RefusedRequest::new(StatusCode::BAD_REQUEST, "no file in the request")),
        _ => Ok(file),
    }
}

pub(super) fn too_long(most: u64) -> RefusedRequest {
    let most = ByteSize(most).display().iec();
    let why = format!("the file is larger than {most}");
    RefusedRequest::new(StatusCode::PAYLOAD_TOO_LARGE, why)
}

/// Reads the rest of a refused body, up to a bound: a client that still sends would otherwise be cut off
/// before it reads the reason.
pub(super) async fn drain(stream: &mut BodyDataStream, most: u64) {
    let mut length = 0_u64;
    let reading = async {
        while let Some(Ok(piece)) = stream.next().await {
            length = length.saturating_add(piece.len() as u64);
            if length > most {
                return;
            }
        }
    };
    // One that is too slow is cut off.
    let _ = tokio::time::timeout(DRAINED_FOR, reading).await;
}

/// The pace of a sender. Only the time in which this side has waited counts.
#[derive(Debug, Default)]
struct UploadPace {
    waited: Duration,
    /// The bytes that have come in this period.
    bytes: u64,
}

impl UploadPace {
    /// The next piece of a body; none at its end.
    async fn next(
        &mut self,
        stream: &mut BodyDataStream,
    ) -> Result<Option<axum::body::Bytes>, RefusedRequest> {
        loop {
            let begun = Instant::now();
            let left = PERIOD.saturating_sub(self.waited);
            let next = tokio::time::timeout(left, stream.next()).await;
            self.waited = self.waited.saturating_add(begun.elapsed());
            match next {
                Ok(None) => return Ok(None),
                Ok(Some(Err(_))) => {
                    let why = "upload incomplete: send the file again";
                    return Err(RefusedRequest::new(StatusCode::BAD_REQUEST, why));
                }
                Ok(Some(Ok(piece))) => {
                    self.bytes = self.bytes.saturating_add(piece.len() as u64);
                    self.must_be_fast_enough()?;
                    return Ok(Some(piece));
                }
                Err(_) => self.must_be_fast_enough()?,
            }
        }
    }

    fn must_be_fast_enough(&mut self) -> Result<(), RefusedRequest> {
        if self.waited < PERIOD {
            return Ok(());
        }
        if self.bytes < LEAST {
            let (least, period) = (ByteSize(LEAST).display().iec(), PERIOD.as_secs());
            let why =
                format!("upload too slow (less than {least} in {period} s): send the file again");
            return Err(RefusedRequest::new(StatusCode::REQUEST_TIMEOUT, why));
        }
        *self = UploadPace::default();
        Ok(())
    }
}
