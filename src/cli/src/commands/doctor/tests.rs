//! Lines of the doctor that no machine at hand would give: full disks, closed folders, odd places.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use saga_live::LiveError;

use super::line::{Check, Line, Status, Told};
use super::{machine, server};
use crate::error::Exit;
use crate::matrix::plain_game;

fn told(lines: &[Line], json: bool) -> (String, Exit) {
    let mut out = Vec::new();
    let mut told = Told::new(&mut out, json);
    for line in lines {
        told.tell(line).expect("written");
    }
    let exit = told.end().expect("written");
    (String::from_utf8(out).expect("text"), exit)
}

#[test]
fn a_line_says_what_was_asked_found_and_what_mends_it() {
    let lines = [
        Check::new("one", "a thing").ok("there"),
        Check::new("two", "another").warn("small", "make it larger"),
        Check::new("three", "a third").skip("no thing"),
    ];
    let (text, exit) = told(&lines, false);
    assert_eq!(
        text,
        "ok    one — a thing: there\nwarn  two — another: small\n      mend: make it larger\n\
         skip  three — a third: not checked: no thing\n3 checks: 1 ok, 1 warnings, 0 failed, 1 \
         skipped\n"
    );
    assert_eq!(exit, Exit::Done);
    let (text, exit) = told(&[Check::new("two", "another").fail("a\nb", "x\ny")], false);
    assert!(text.starts_with("FAIL  two — another: a\n      b\n      mend: x\n            y\n"));
    assert_eq!(exit, Exit::Failed);
    let (text, _) = told(&lines[1..2], true);
    assert_eq!(
        text,
        "{\"check\":\"two\",\"asked\":\"another\",\"status\":\"warn\",\"found\":\"small\",\"mend\":\
         \"make it larger\"}\n{\"summary\":{\"checks\":1,\"ok\":0,\"warnings\":1,\"failed\":0,\
         \"skipped\":0}}\n"
    );
}

#[test]
fn room_is_counted_for_the_games_that_are_wanted() {
    let check = |needed, status| {
        let line = machine::room(Path::new("/nowhere/at/all"), needed);
        assert_eq!(line.status, status, "{line:?}");
        line
    };
    check(Some((4, 1)), Status::Ok);
    let full = check(Some((4, u64::MAX)), Status::Fail);
    assert!(full.mend.is_some_and(|mend| mend.starts_with("df -h /; ")));
    assert_eq!(machine::estimate(&plain_game("classic")), 150 * 20 * 1024);
}

#[test]
fn a_place_that_takes_nothing_is_told_with_its_folder() {
    let line = machine::rights(Path::new("/dev/null/runs"));
    assert_eq!(line.status, Status::Fail, "{line:?}");
    assert!(line.found.starts_with("nothing can be made in /dev/null: "), "{line:?}");
}

#[test]
fn the_first_closed_folder_on_the_way_is_named() {
    let folder = std::env::temp_dir().join(format!("saga-closed-{}", std::process::id()));
    let binary = folder.join("a/server");
    fs::create_dir_all(binary.parent().expect("a folder")).expect("made");
    fs::write(&binary, "").expect("written");
    fs::set_permissions(&folder, Permissions::from_mode(0o700)).expect("ours");
    let error = LiveError::DropPrivileges {
        user: "nobody".to_owned(),
        doing: "start",
        path: binary,
        source: std::io::ErrorKind::PermissionDenied.into(),
    };
    assert_eq!(server::mend(&error), format!("chmod o+rx {}", folder.display()));
    fs::remove_dir_all(&folder).expect("removed");
}
