//! Uploads that are unpacked, and the results.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use tar::EntryType;

use super::archives::{Entry, deflated, gz, stored, zip};
use super::{MANIFEST, append, files, header, sent, tar};
use bot::manifest::Manifest;

fn names(bytes: &[u8]) -> Vec<String> {
    let unpacked = sent(bytes, None).expect("a bot");
    files(&unpacked.bot).into_iter().map(|(name, _)| name).collect()
}

#[test]
fn a_zip_with_its_manifest_at_the_top_or_in_its_only_folder() {
    let manifest = MANIFEST.as_bytes();
    let flat = zip(&[stored("bot.toml", manifest), deflated("lib/a.py", b"x = 1\n")]);
    assert_eq!(names(&flat), ["bot.toml", "lib/a.py"]);
    let folder = Entry { mode: 0o040_755, ..stored("anna/", b"") };
    let inner = [folder, deflated("anna/bot.toml", manifest), stored("anna/bot.py", b"1\n")];
    assert_eq!(names(&zip(&inner)), ["bot.py", "bot.toml"]);
    // Additions of a Mac and of version control are no part of it.
    let more = [stored("__MACOSX/anna/._bot.py", b"?"), stored("anna/.git/HEAD", b"?")];
    assert_eq!(names(&zip(&[inner.to_vec(), more.to_vec()].concat())), ["bot.py", "bot.toml"]);
}

#[test]
fn a_tar_with_its_manifest_at_the_top_or_in_its_only_folder() {
    let fill = |prefix: &'static str| {
        move |to: &mut tar::Builder<Vec<u8>>| {
            let name = |name: &str| format!("{prefix}{name}").into_bytes();
            append(to, &name(""), EntryType::Directory, b"");
            append(to, &name("bot.toml"), EntryType::Regular, MANIFEST.as_bytes());
            append(to, &name("data/weights"), EntryType::Regular, &[7; 5_000]);
        }
    };
    assert_eq!(names(&gz(&tar(fill("./")))), ["bot.toml", "data/weights"]);
    assert_eq!(names(&gz(&tar(fill("anna-1.0/")))), ["bot.toml", "data/weights"]);
    // As a Mac packs it.
    let of_mac = tar(|to| {
        append(to, b"./._anna", EntryType::Regular, b"?");
        fill("./anna/")(to);
    });
    assert_eq!(names(&gz(&of_mac)), ["bot.toml", "data/weights"]);
}

#[test]
fn long_names_of_both_kinds_are_read() {
    let long = format!("{}/{}", "d".repeat(20), "f".repeat(30));
    let gnu = tar(|to| {
        append(to, b"bot.toml", EntryType::Regular, MANIFEST.as_bytes());
        append(to, b"././@LongLink", EntryType::GNULongName, format!("{long}\0").as_bytes());
        append(to, b"short", EntryType::Regular, b"1");
    });
    let pax = tar(|to| {
        append(to, b"pax_global_header", EntryType::XGlobalHeader, b"16 comment=0123\n");
        append(to, b"bot.toml", EntryType::Regular, MANIFEST.as_bytes());
        let fields = [("path", long.as_bytes()), ("mtime", b"1.5".as_slice())];
        to.append_pax_extensions(fields).expect("in memory");
        append(to, b"short", EntryType::Regular, b"1");
    });
    for bytes in [gnu, pax] {
        assert_eq!(names(&gz(&bytes)), ["bot.toml", long.as_str()]);
    }
}

#[test]
fn programs_stay_programs_and_get_no_other_rights() {
    let mode = |path: &std::path::Path| fs::metadata(path).expect("ours").permissions().mode();
    let manifest = stored("bot.toml", MANIFEST.as_bytes());
    let program = Entry { mode: 0o106_755, ..stored("run", b"#!/bin/sh\n") };
    let unpacked = sent(&zip(&[manifest, program]), None).expect("a bot");
    assert_eq!(mode(&unpacked.bot.join("run")) & 0o7100, 0o100);
    assert_eq!(mode(&unpacked.bot.join("bot.toml")) & 0o7100, 0);
    let bytes = tar(|to| {
        append(to, b"bot.toml", EntryType::Regular, MANIFEST.as_bytes());
        let mut header = header(b"run", EntryType::Regular, 1);
        header.set_mode(0o6755);
        header.set_cksum();
        to.append(&header, &b"x"[..]).expect("in memory");
    });
    let unpacked = sent(&gz(&bytes), None).expect("a bot");
    assert_eq!(mode(&unpacked.bot.join("run")) & 0o7100, 0o100);
}

#[test]
fn a_source_gets_the_manifest_of_its_language() {
    let cases = [
        ("tricky.py", "python3 tricky.py", None),
        ("tricky.js", "node tricky.js", None),
        ("tricky.c", "./random", Some("cc -O2 -o random tricky.c")),
        ("tricky.cpp", "./random", Some("c++ -std=c++17 -O2 -o random tricky.cpp")),
        ("tricky.go", "./random", Some("go build -buildvcs=false -o random .")),
        ("tricky.rb", "ruby --disable=gems tricky.rb", None),
        ("tricky.pl", "perl tricky.pl", None),
        ("tricky.lua", "lua tricky.lua", None),
        ("tricky.sh", "sh tricky.sh", None),
        ("tricky.rs", "./random", Some("rustc --edition 2021 -O -o random tricky.rs")),
        (
            "Tricky.java",
            "java -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -jar ./random.jar",
            Some("sh -c javac -d classes *.java && jar cfe random.jar Tricky -C classes ."),
        ),
    ];
    for (file, command, build) in cases {
        let unpacked = sent("print 'ž'\n".as_bytes(), Some(file)).expect(file);
        let text = fs::read_to_string(unpacked.bot.join("bot.toml")).expect(file);
        let manifest = Manifest::read(&text).expect(file);
        assert_eq!(manifest.name, "anna", "{file}");
        assert_eq!(manifest.command.words().join(" "), command, "{file}");
        let built = manifest.build.map(|build| build.words().join(" "));
        assert_eq!(built.as_deref(), build, "{file}");
        assert!(unpacked.bot.join(file).is_file(), "{file}");
        assert_eq!(unpacked.bot.join("go.mod").exists(), file.ends_with(".go"), "{file}");
    }
}

#[test]
fn the_content_counts_and_not_the_name() {
    let bytes = zip(&[stored("bot.toml", MANIFEST.as_bytes())]);
    for name in [None, Some("bot.py"), Some("bot.tar.gz"), Some("../../x")] {
        assert!(sent(&bytes, name).is_ok(), "{name:?}");
    }
}

/// Files by their paths, none of which is a folder of another one.
fn contents() -> impl Strategy<Value = Vec<(String, Vec<u8>)>> {
    let path = "d[0-9]{1,3}/f[a-z]{1,8}|f[a-z0-9]{1,8}\\.py|e/[a-c]/f[0-9]{1,4}";
    btree_map(path, vec(any::<u8>(), 0..2_000), 0..20).prop_map(|files| {
        let manifest = [("bot.toml".to_owned(), MANIFEST.as_bytes().to_vec())];
        manifest.into_iter().chain(files).collect()
    })
}

fn zipped(files: &[(String, Vec<u8>)]) -> Vec<u8> {
    let entries: Vec<Entry> = files
        .iter()
        .enumerate()
        .map(|(place, (name, content))| match place % 2 {
            0 => stored(name, content),
            _ => deflated(name, content),
        })
        .collect();
    zip(&entries)
}

fn tarred(files: &[(String, Vec<u8>)]) -> Vec<u8> {
    tar(|to| {
        for (name, content) in files {
            append(to, name.as_bytes(), EntryType::Regular, content);
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn what_is_packed_is_unpacked(mut packed in contents()) {
        let archives = [zipped(&packed), gz(&tarred(&packed))];
        packed.sort();
        for bytes in archives {
            let unpacked = sent(&bytes, None).expect("a bot");
            prop_assert_eq!(&files(&unpacked.bot), &packed);
        }
    }

    /// It is unpacked or refused; `sent` looks that nothing lies outside.
    #[test]
    fn what_is_damaged_does_no_harm(
        packed in contents(),
        damage in vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
        is_zip in any::<bool>(),
    ) {
        let mut bytes = if is_zip { zipped(&packed) } else { tarred(&packed) };
        for (place, value) in damage {
            let place = place.index(bytes.len());
            bytes[place] = value;
        }
        // A tar is damaged before it is compressed: otherwise its check sum tells.
        let bytes = if is_zip { bytes } else { gz(&bytes) };
        if let Err(problem) = sent(&bytes, None) {
            let text = problem.to_string();
            prop_assert!(text.chars().all(|c| !c.is_control()), "{text:?}");
        }
    }

    #[test]
    fn any_bytes_do_no_harm(
        sign in prop::sample::select(vec![&b""[..], b"PK\x03\x04", b"PK\x05\x06", b"\x1f\x8b\x08\0"]),
        rest in vec(any::<u8>(), 0..600),
        file in "[ -~]{0,12}",
    ) {
        let _ = sent(&[sign, &rest].concat(), Some(&file));
    }
}
