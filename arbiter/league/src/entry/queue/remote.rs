//! Remote bots that their authors enter themselves.

use bot::BotSpec;
use bot::launched::REMOTE;
use bot::manifest::Mode;
use rules::Dialect;
use sandbox::Wanted;
use text::printable;

use super::SubmissionQueue;
use crate::calendar::{self, SubmissionState, length};
use crate::entry::candidate::{Candidate, EntryResult, ReportSoFar};
use crate::participants::{Participants, TokenHolder};
use crate::refusal::{Refusal, RefusalKind};
use crate::state::Membership;
use crate::submissions::{self, Submission};
use crate::version::BotVersion;

/// The fate of a version with files when its author enters a remote one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VersionWithFiles {
    /// It goes on playing, and the remote one is refused.
    Stays,
    /// The remote one plays in its place.
    IsReplaced,
}

impl SubmissionQueue {
    /// Enters the bot of a participant as a new version without files, unless one plays already, and returns it.
    ///
    /// # Errors
    ///
    /// [`Refusal`], with nothing changed: the league takes no remote bots, or none now, or none of this participant.
    pub fn enter_remote(
        &self,
        holder: &TokenHolder,
        old: VersionWithFiles,
    ) -> Result<BotVersion, Refusal> {
        let (folder, name) = (&self.folder, holder.participant.as_str());
        let forbidden = |why: String| Err(Refusal::new(RefusalKind::Forbidden, why));
        if folder.remote()?.is_none() {
            return forbidden("this league takes no remote bots: ask the organiser".to_owned());
        }
        let terms = self.terms()?.0;
        let calendar = terms.calendar();
        // Only one thread at a time enters bots.
        let _lock = submissions::locked(folder)?;
        let league = folder.read()?;
        let participants = Participants::read(folder)?;
        let active = league.current(name).filter(|it| it.membership == Membership::Active);
        if let Some(member) = active.filter(|it| it.entry.mode == Mode::Remote) {
            return Ok(member.entry.bot.clone());
        }
        let now = calendar::now();
        match calendar.doors_with(league.exceptions().deadline(name), now) {
            SubmissionState::Open => {}
            SubmissionState::NotOpen(opens) => return Err(submissions::not_open(calendar, opens)),
            SubmissionState::Closed(deadline) => {
                let seconds = now.as_second().saturating_sub(deadline.as_second());
                let late = length(seconds.unsigned_abs());
                let why = format!("the deadline was {late} ago: ask the organiser");
                return Err(Refusal::new(RefusalKind::Closed, why));
            }
        }
        if let Some(left) = league.disqualified(name) {
            return forbidden(format!("disqualified: {}", left.reason));
        }
        let conflict = |why: String| Err(Refusal::new(RefusalKind::Conflict, why));
        if let Some(member) = active.filter(|_| old == VersionWithFiles::Stays) {
            let bot = &member.entry.bot;
            return conflict(format!("{bot} plays with its files: say that it is replaced"));
        }
        let own = submissions::by_participant(folder, name)?;
        if let Some(waiting) = own.iter().find(|it| Submission::is_waiting(it)) {
            let number = waiting.number;
            return conflict(format!("submission {number} is being checked: wait, or withdraw it"));
        }
        let most = terms.quotas.bots();
        if !submissions::has_room(folder, &league, &participants, (name, most))? {
            return forbidden(format!("limit of {most} bots reached: retire one of them"));
        }
        let bot = BotSpec::new(name, REMOTE, Dialect::Native, Mode::Remote)?;
        let report = ReportSoFar::default();
        let candidate = Candidate::checked(folder, name, bot, Wanted::ALWAYS, report)?;
        match candidate.settle(holder.member.as_deref())? {
            EntryResult::Entered(entered) => Ok(entered.bot),
            EntryResult::Refused(refused) => forbidden(printable(&refused.why)),
        }
    }
}
