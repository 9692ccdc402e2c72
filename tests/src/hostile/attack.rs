//! Attacks, and their required outcomes.

use crate::keeping::Keeping;
use rustix::process::geteuid;
use rustix::thread::{CapabilitySet, capabilities};

/// What comes of an attack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// It has what it wanted.
    Got,
    /// It met an error.
    Refused,
    /// The one or the other, as the machine has it.
    Either,
}

use Outcome::{Either, Got, Refused};

/// One attack of a bot alone.
pub struct Attack {
    /// Its name in the list of the bot.
    pub name: &'static str,
    pub(crate) does: &'static str,
    pub(crate) isolated: Outcome,
    /// With what is left of isolation where the machine refuses namespaces.
    pub(crate) refused: Outcome,
    /// As for `refused`, if root runs the referee, in a container, and the bot is `nobody`.
    pub(crate) contained: Outcome,
    /// Without isolation, where root runs the referee.
    pub(crate) off_as_root: Outcome,
    /// Without isolation, where another user does.
    pub(crate) off_as_user: Outcome,
    /// Reason for testing an attack that succeeds nowhere, and for accepting one that is not
    /// refused.
    pub why: &'static str,
}

/// A way for a bot to leave a sign: for the other one in the same game, and for itself in the next.
pub struct Channel {
    /// Its name in the list of the bot.
    pub name: &'static str,
    pub(crate) is: &'static str,
    /// Outcomes for the other bot and for itself, for each way to keep bots apart.
    pub(crate) isolated: [Outcome; 2],
    /// If the machine refuses namespaces to every user.
    pub(crate) refused: [Outcome; 2],
    pub(crate) off: [Outcome; 2],
    pub(crate) portable: [Outcome; 2],
}

impl Attack {
    /// Only isolation stops it.
    pub(crate) const fn stopped(name: &'static str, does: &'static str) -> Attack {
        let (isolated, off_as_root, off_as_user) = (Refused, Got, Got);
        let (refused, contained) = (Refused, Refused);
        Attack { name, does, isolated, refused, contained, off_as_root, off_as_user, why: "" }
    }

    /// Only isolation stops it if root runs the referee; other users lack the right.
    pub(crate) const fn of_root(name: &'static str, does: &'static str) -> Attack {
        Attack { off_as_user: Refused, ..Attack::stopped(name, does) }
    }

    /// As for `of_root`, but the superuser of a container may lack that right.
    pub(crate) const fn of_root_perhaps(name: &'static str, does: &'static str) -> Attack {
        Attack { off_as_root: Either, ..Attack::of_root(name, does) }
    }

    /// Without isolation it is for the machine to say.
    pub(crate) const fn by_machine(name: &'static str, does: &'static str) -> Attack {
        Attack { off_as_root: Either, off_as_user: Either, ..Attack::stopped(name, does) }
    }

    /// Something else stops it even without isolation.
    pub(crate) const fn nowhere(
        name: &'static str,
        does: &'static str,
        why: &'static str,
    ) -> Attack {
        let (off_as_root, off_as_user) = (Refused, Refused);
        Attack { off_as_root, off_as_user, why, ..Attack::stopped(name, does) }
    }

    /// Nothing stops it.
    pub(crate) const fn let_be(
        name: &'static str,
        does: &'static str,
        why: &'static str,
    ) -> Attack {
        Attack { isolated: Got, refused: Got, contained: Got, why, ..Attack::stopped(name, does) }
    }

    /// Only namespaces stop it.
    pub(crate) const fn unless_refused(self) -> Attack {
        Attack { refused: Got, contained: Got, ..self }
    }

    /// Only namespaces stop it, or the machine; one who is the superuser of a namespace is so already.
    pub(crate) const fn perhaps_if_refused(self) -> Attack {
        Attack { refused: Either, contained: Either, ..self }
    }

    /// Under another user than the referee, it is stopped in any case.
    pub(crate) const fn stopped_as_nobody(self) -> Attack {
        Attack { contained: Refused, ..self }
    }

    /// The required outcome here.
    pub(crate) fn wanted(&self, keeping: Keeping) -> Outcome {
        match keeping {
            Keeping::Isolated => self.isolated,
            Keeping::Refused => self.refused,
            Keeping::Contained => self.contained,
            Keeping::Off | Keeping::Portable if geteuid().is_root() => match self.off_as_root {
                Got if self.off_as_user == Refused && !may_mount() => Either,
                wanted => wanted,
            },
            Keeping::Off | Keeping::Portable => self.off_as_user,
        }
    }

    /// Returns true if it needs a reason.
    pub fn is_argued(&self) -> bool {
        let off = [self.off_as_root, self.off_as_user];
        self.isolated != Refused || off == [Refused, Refused]
    }
}

/// Returns true if this superuser has more rights than that of a container, which lacks most.
fn may_mount() -> bool {
    let rights = capabilities(None).map(|sets| sets.effective);
    rights.is_ok_and(|rights| rights.contains(CapabilitySet::SYS_ADMIN))
}

impl Channel {
    /// The required outcomes of telling and of remembering here.
    pub(crate) fn wanted(&self, keeping: Keeping) -> [Outcome; 2] {
        match keeping {
            Keeping::Isolated => self.isolated,
            Keeping::Refused | Keeping::Contained => self.refused,
            Keeping::Off => self.off,
            Keeping::Portable => self.portable,
        }
    }

    /// The names under which the bot speaks of telling and of remembering.
    pub(crate) fn names(&self) -> [String; 2] {
        ["tell", "remember"].map(|what| format!("{what}-{}", self.name))
    }
}

impl Outcome {
    pub(crate) fn allows(self, is_got: bool) -> bool {
        match self {
            Got => is_got,
            Refused => !is_got,
            Either => true,
        }
    }
}

/// The names of all, in the order of the bot's list.
pub fn names<'a>(
    attacks: &'a [Attack],
    channels: &'a [Channel],
) -> impl Iterator<Item = String> + 'a {
    let attacks = attacks.iter().map(|attack| attack.name.to_owned());
    attacks.chain(channels.iter().flat_map(Channel::names))
}
