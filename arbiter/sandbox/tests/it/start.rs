//! The surroundings of a program when it starts, and programs that cannot start.

#![cfg(unix)]

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;

use sandbox::isolation::Isolation;
use sandbox::{CallEnd, Limits, Program, SearchPath, StartError, Supervisor, ViewRules};

use crate::bench::{Bench, CEILING, linux, resolve, supervisors};

const LIMITS: Limits = Limits { time: CEILING, answer_bytes: 65_536, ..Limits::DEFAULT };

#[test]
fn the_environment_is_what_is_documented_and_nothing_else() {
    for supervisor in supervisors() {
        let bench = Bench::new(supervisor);
        let seen = bench.call(&["/usr/bin/env"], b"", LIMITS);
        let scratch = bench.scratch.path().display();
        let path = env::var("PATH").expect("the tests have one");
        let expected = BTreeSet::from([
            format!("PATH={path}"),
            format!("HOME={scratch}"),
            format!("ARBITER_SCRATCH={scratch}"),
            "LANG=C.UTF-8".to_owned(),
        ]);
        let found = String::from_utf8(seen.stdout).expect("text");
        let found: BTreeSet<String> = found.lines().map(str::to_owned).collect();
        assert_eq!(found, expected, "{supervisor:?}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn the_program_starts_in_its_scratch_folder_and_in_its_own_group() {
    for supervisor in supervisors() {
        let bench = Bench::new(supervisor);
        let seen = bench.shell("pwd -P; cut -d ' ' -f 5 /proc/$$/stat; echo $$", b"", CEILING);
        let text = String::from_utf8(seen.stdout).expect("text");
        let [folder, group, pid] = text.lines().collect::<Vec<_>>()[..] else {
            panic!("{supervisor:?}: {text}")
        };
        let scratch = bench.scratch.path().canonicalize().expect("it is there");
        assert_eq!(Path::new(folder), scratch, "{supervisor:?}");
        assert_eq!(group, pid, "{supervisor:?}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn the_resources_of_a_program_are_limited() {
    let bench = Bench::new(linux());
    let script = "ulimit -c; ulimit -f; head -c 67108865 /dev/zero >huge; stat -c %s huge";
    let seen = bench.shell(script, b"", CEILING);
    // Blocks of 512 bytes: 64 MiB, and a file of not one byte more.
    assert_eq!(String::from_utf8_lossy(&seen.stdout), "0\n131072\n67108864\n");
}

/// Files that are not programs, made by a shell: a file that this process had open for writing
/// might not start for that reason alone.
const MAKE: &str = "
    printf 'echo 7S\\n' >no-interpreter
    : >empty
    printf '#!/nowhere/interpreter\\n' >lost-interpreter
    printf '#!/\\n' >folder-interpreter
    printf '#!%s/loop\\n' \"$PWD\" >loop
    head -c 4096 \"$(command -v sh)\" >foreign
    printf '\\377\\177' | dd of=foreign bs=1 seek=18 conv=notrunc 2>/dev/null
    printf '#!/bin/sh\\necho 7S\\n' >plain
    cp plain gone; cp plain folder
    chmod +x *
    cp plain locked";

/// A script that spoils files between being resolved and being started.
const SPOIL: &str = "rm gone; chmod -x locked; rm folder; mkdir folder";

#[test]
fn a_program_that_cannot_be_started_is_told_apart_from_a_machine_that_cannot_start_it() {
    let table = [
        ("no-interpreter", "this machine cannot run it"),
        ("empty", "this machine cannot run it"),
        ("foreign", "this machine cannot run it"),
        ("lost-interpreter", "the interpreter or loader that it names is missing"),
        ("folder-interpreter", "permission denied"),
        ("loop", "too many links in its path, or interpreters of interpreters"),
        ("gone", "no such file"),
        ("locked", "permission denied"),
        ("folder", "permission denied"),
    ];
    for supervisor in supervisors() {
        let bench = Bench::new(supervisor);
        let folder = bench.scratch.path();
        make(folder, MAKE);
        let programs = table.map(|(name, _)| program(folder, name));
        make(folder, SPOIL);
        for (program, (name, why)) in programs.iter().zip(table) {
            let seen = supervisor.run_in(folder, program, b"", LIMITS);
            let CallEnd::NotStarted(detail) = &seen.end else {
                panic!("{supervisor:?}: {name}: {:?}", seen.end)
            };
            assert!(detail.contains(why) && detail.contains(name), "{supervisor:?}: {detail}");
            assert!(detail.starts_with("cannot start `") && !detail.contains('\n'), "{detail}");
            let probed = supervisor.supervise(program, &ViewRules::default()).probe();
            assert!(!matches!(probed, Err(StartError::Referee(_))), "{supervisor:?}: {name}");
            assert_eq!(probed.map_err(|error| error.to_string()), Err(detail.clone()));
        }
        let plain = program(folder, "plain");
        let probed = supervisor.supervise(&plain, &ViewRules::default()).probe();
        assert_eq!(probed, Ok(()), "{supervisor:?}");
    }
}

/// An ordinary user cannot limit it, which was once taken for a fault of the machine.
#[test]
fn a_program_with_its_owners_rights_is_refused_before_the_first_game() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("bot");
    fs::write(&path, "#!/bin/sh\n").expect("a file");
    for (mode, refused) in [(0o755, false), (0o4755, true), (0o2755, true)] {
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).expect("the file is ours");
        let search = SearchPath::of_this_process(None).expect("a current folder");
        let resolved = Program::resolve(&[&path], &search);
        assert_eq!(resolved.is_err(), refused, "{mode:o}: {resolved:?}");
    }
}

#[test]
fn a_missing_scratch_folder_charges_nobody() {
    for supervisor in supervisors() {
        let program = resolve(&["/bin/sh"]);
        let scratch = Path::new("/nowhere/at/all");
        let seen = supervisor.run_in(scratch, &program, b"", LIMITS);
        assert!(matches!(seen.end, CallEnd::Fault(_)), "{supervisor:?}: {:?}", seen.end);
    }
}

#[test]
fn a_supervisor_is_chosen_by_name() {
    for supervisor in supervisors() {
        let named = Supervisor::named(supervisor.name().as_ref(), Isolation::Off);
        assert_eq!(named, Ok(supervisor));
    }
    let text = Supervisor::named("windows\n".as_ref(), Isolation::Off).expect_err("there is none");
    assert!(text.starts_with("unknown supervisor `windows\\n` in ARBITER_SUPERVISOR"), "{text}");
    assert!(text.ends_with("`portable`"), "{text}");
}

fn make(folder: &Path, script: &str) {
    let status = Command::new("/bin/sh").args(["-ec", script]).current_dir(folder).status();
    assert!(status.expect("a shell").success());
}

fn program(folder: &Path, name: &str) -> Program {
    // Every file is made executable here; `SPOIL` undoes it for some.
    let path = folder.join(name);
    let mut permissions = fs::metadata(&path).expect("it was made").permissions();
    std::os::unix::fs::PermissionsExt::set_mode(&mut permissions, 0o755);
    fs::set_permissions(&path, permissions).expect("it is ours");
    resolve(&[path.to_str().expect("text")])
}
