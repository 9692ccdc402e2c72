//! Confines a process, and with it all that it will start.
//!
//! The *layers* are those of [`Layer`]; each has a file here, which says what it promises and what
//! not. None of them relies on another one, but where one is missing others may stand in for it.
//!
//! **An ordinary user** makes a namespace of users in which it has all rights over what is new, and
//! none over what there was; there the other namespaces and the mounts are made, and all rights
//! given up. **The superuser** makes the mounts with its own rights, and then becomes nobody in a
//! namespace of users that knows no one else. **Where namespaces are refused** (most containers,
//! some distributions) a bot of the superuser still becomes nobody, and the kernel's own checks stand
//! in for the rest.
//!
//! Namespaces of users, processes and files come all or none: half of them would be confusing (the
//! `/proc` of others) and hard to reason about. Those of the network, of shared memory and of the
//! host name come singly.

use std::path::{Path, PathBuf};

use rustix::process::{DumpableBehavior, geteuid, set_dumpable_behavior};
use rustix::thread::CapabilitySet;
use serde::{Deserialize, Serialize};
use text::{printable, system_error};

use self::files::DiskBudget;
use self::landlock::{Connections, FileAccess};
pub(super) use self::namespaces::SignalAllToken;
use self::shown::ShownPlace;
pub(super) use self::user::ChildUser;
use self::user::Privilege;
use super::isolation::{BuildFolder, FileView, Isolation, Layer, Layers};
use super::memory::OomScore;
use user::is_want;

mod enter;
mod files;
mod landlock;
mod namespaces;
mod seccomp;
mod shown;
mod user;

/// The folders of the system that every bot sees, as far as they are there.
pub(super) fn system_folders() -> Vec<PathBuf> {
    shown::SYSTEM.iter().map(PathBuf::from).filter(|folder| folder.is_dir()).collect()
}

/// The user that bots are for this machine, where they are kept apart.
pub(super) fn user_of_bots() -> u32 {
    user_besides().unwrap_or_else(|| geteuid().as_raw())
}

/// The user of bots, if it is another one than that of this process.
pub(super) fn user_besides() -> Option<u32> {
    Privilege::find().ok()?.of_child().map(|(user, _)| user)
}

/// The layers that only namespaces can give.
const OF_NAMESPACES: [Layer; 5] =
    [Layer::Processes, Layer::Files, Layer::Network, Layer::Ipc, Layer::Host];

/// Everything that a keeper needs to confine itself.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct ConfinementSetup {
    /// Off if nothing is to be done. It makes no difference here whether all layers are insisted on.
    pub isolation: Isolation,
    /// The part of the machine that is there.
    pub view: FileView,
    /// A folder of that which can be written, where a program works.
    pub build_folder: Option<BuildFolder>,
    /// The place of its copy; this fails if the copy is to be found where the folder lies and
    /// cannot be.
    pub place: CopyPlace,
    /// A folder that is the keeper's own, by an absolute path. Without the layer of files it is the
    /// only place to write; with it, it is of no use any more.
    #[serde(with = "crate::isolation::of_any_bytes_alone")]
    pub base: PathBuf,
    /// The number of bytes the scratch folders take together, with the layer of files.
    pub scratch_bytes: u64,
    /// The most files and folders in them.
    pub scratch_files: u64,
}

/// The place where the copy of a build folder is found.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum CopyPlace {
    /// The path of the folder, for which the layer of files is needed.
    Folder,
    /// The path of the copy.
    #[default]
    Copy,
}

#[derive(Debug)]
pub(super) struct ConfinementResult {
    pub layers: Layers,
    /// The folder of scratch folders, outside of which nothing can be written.
    pub base: PathBuf,
    /// The copy of a build folder.
    pub build_folder: Option<PathBuf>,
    /// The right to signal everything, with the layer of processes.
    pub namespace: Option<SignalAllToken>,
    /// The steps that are left for each child.
    pub child: ChildUser,
    /// The score of this process, by which the kernel kills if memory runs out.
    pub score: OomScore,
}

/// Confines this process, which must have one thread and no children.
///
/// With namespaces, the process that returns from this is a copy of the one that called it, and is
/// the first of its own; the one that called waits for its end, and ends with its status. Either way
/// the process adopts orphans, and no other process of its user can look into it. Under no name,
/// descriptors that were open before stay open, and lead wherever they did.
///
/// Fails if something is to be shown that cannot be, and if the keeper's own folder cannot be given
/// to its bot. A layer that the machine refuses is no error, but one for which it has no descriptors,
/// processes or memory left is: it may be there for the next keeper.
pub(super) fn confine(confinement: &ConfinementSetup) -> Result<ConfinementResult, String> {
    if confinement.isolation == Isolation::Off {
        return Ok(ConfinementResult {
            layers: Layers::default(),
            base: confinement.base.clone(),
            build_folder: confinement.build_folder.as_ref().map(|it| it.copy.clone()),
            namespace: None,
            child: ChildUser::default(),
            score: OomScore::open(),
        });
    }
    let shown = shown::visible(&confinement.view.paths)?;
    let privilege = Privilege::find()
        .map_err(|error| format!("cannot find out who this user is: {}", system_error(error)))?;
    let inside = enter::enter(privilege, |namespace, outer| {
        let confined = within_namespaces(confinement, privilege, &shown, namespace, outer)?;
        must_want_nothing(confined)
    });
    match inside {
        Ok(confined) => Ok(confined),
        Err(why) if is_want(&why) => Err(why),
        // The program was already told where it works.
        Err(why)
            if confinement.build_folder.is_some() && confinement.place == CopyPlace::Folder =>
        {
            Err(why)
        }
        Err(why) => {
            without_namespaces(confinement, privilege, &shown, &why).and_then(must_want_nothing)
        }
    }
}

fn must_want_nothing(confined: ConfinementResult) -> Result<ConfinementResult, String> {
    match confined.layers.refused.iter().find(|(_, why)| is_want(why)) {
        Some((_, why)) => Err(why.clone()),
        None => Ok(confined),
    }
}

fn within_namespaces(
    confinement: &ConfinementSetup,
    privilege: Privilege,
    shown: &[ShownPlace],
    namespace: SignalAllToken,
    outer: &mut enter::OuterKeeper,
) -> Result<ConfinementResult, String> {
    let score = OomScore::open();
    let mut layers = Layers::default();
    let room = DiskBudget { bytes: confinement.scratch_bytes, files: confinement.scratch_files };
    let own = files::OwnRoot {
        shown,
        masked: &confinement.view.masked,
        devices: &confinement.view.devices,
        base: &confinement.base,
        room,
        build_folder: confinement.build_folder.as_ref(),
    };
    own.enter()?;
    for layer in [Layer::User, Layer::Processes, Layer::Files] {
        note(&mut layers, layer, Ok(()));
    }
    if !confinement.view.network {
        note(&mut layers, Layer::Network, namespaces::own_network());
    }
    note(&mut layers, Layer::Ipc, namespaces::own_ipc());
    note(&mut layers, Layer::Host, namespaces::own_host());
    let child = match privilege {
        Privilege::Superuser => user::own_as_nobody(|| outer.map())?,
        Privilege::Contained | Privilege::Ordinary => ChildUser::default(),
    };
    let base = PathBuf::from(files::SCRATCH);
    let build_folder = confinement.build_folder.as_ref().map(|it| it.folder.clone());
    let written = written(&base, build_folder.as_deref());
    let devices = devices(&confinement.view);
    let files = FileAccess { read: vec![Path::new("/")], devices, written };
    close(&mut layers, confinement, child, &files);
    Ok(ConfinementResult { layers, base, build_folder, namespace: Some(namespace), child, score })
}

fn without_namespaces(
    confinement: &ConfinementSetup,
    privilege: Privilege,
    shown: &[ShownPlace],
    why: &str,
) -> Result<ConfinementResult, String> {
    let score = OomScore::open();
    let mut layers = Layers::default();
    let base = confinement.base.clone();
    let child = ChildUser { user: privilege.of_child() };
    match child.user {
        Some(_) => {
            child.change_owner(&base).map_err(|error| {
                let base = printable(&base.to_string_lossy());
                format!("cannot give `{base}` to a bot: {}", system_error(error))
            })?;
            note(&mut layers, Layer::User, Ok(()));
        }
        None => note(&mut layers, Layer::User, Err(why.to_owned())),
    }
    for layer in OF_NAMESPACES {
        if layer != Layer::Network || !confinement.view.network {
            note(&mut layers, layer, Err(why.to_owned()));
        }
    }
    let whole = shown.iter().filter(|it| matches!(it, ShownPlace::Whole { .. }));
    let read = whole.map(ShownPlace::at).chain([Path::new("/proc")]).collect();
    let build_folder = confinement.build_folder.as_ref().map(|it| it.copy.clone());
    let written = written(&base, build_folder.as_deref());
    let files = FileAccess { read, devices: devices(&confinement.view), written };
    close(&mut layers, confinement, child, &files);
    Ok(ConfinementResult { layers, base, build_folder, namespace: None, child, score })
}

/// The devices that every bot has, and those that were granted.
fn devices(view: &FileView) -> Vec<&Path> {
    files::DEVICES.iter().map(Path::new).chain(view.devices.iter().map(PathBuf::as_path)).collect()
}

fn written<'a>(base: &'a Path, build_folder: Option<&'a Path>) -> Vec<&'a Path> {
    [base].into_iter().chain(build_folder).collect()
}

/// Puts on the layers for which no namespace is needed, the one that forbids most at last.
fn close(
    layers: &mut Layers,
    confinement: &ConfinementSetup,
    child: ChildUser,
    files: &FileAccess<'_>,
) {
    let kept = match child.user {
        Some(_) => user::OF_KEEPER,
        None => CapabilitySet::empty(),
    };
    note(layers, Layer::Privileges, user::give_up(kept));
    let connections = match confinement.view.network {
        true => Connections::Free,
        false => Connections::None,
    };
    note(layers, Layer::Landlock, landlock::restrict(files, connections));
    // A system that refuses this leaves it undone: it keeps the bot from the keeper's memory, where
    // there is nothing that the bot is not told.
    let _ = set_dumpable_behavior(DumpableBehavior::NotDumpable);
    let filtered = seccomp::filter(layers, &confinement.view);
    note(layers, Layer::Seccomp, filtered);
}

/// Notes what came of one layer.
fn note(layers: &mut Layers, layer: Layer, came: Result<(), String>) {
    match came {
        Ok(()) => layers.on.push(layer),
        Err(why) => layers.refused.push((layer, why)),
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use rustix::io::Errno;

    use super::user::WANTS;
    use super::*;

    #[test]
    fn want_is_told_from_refusal() {
        let why = |errno: Errno| {
            format!("cannot set up a layer: {}", system_error(io::Error::from(errno)))
        };
        for errno in WANTS {
            assert!(is_want(&why(errno)), "{errno}");
        }
        // The maximum number of namespaces is 0 where they are turned off.
        for errno in [Errno::PERM, Errno::NOSYS, Errno::INVAL, Errno::NOSPC, Errno::OPNOTSUPP] {
            assert!(!is_want(&why(errno)), "{errno}");
        }
        assert!(!is_want("") && !is_want("this kernel was started without Landlock"));
    }
}
