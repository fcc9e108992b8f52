package dev.cleave.jmh.bench.programs;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.summingDouble;

import dev.cleave.Cleave;
import dev.cleave.Pending;
import dev.cleave.jmh.bench.programs.Threads.Task;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;

/** {@link OfficeHours} by hand: a list between the stages of the stream. */
final class OfficeHoursByHand {

    private OfficeHoursByHand() {}

    static String staged(Staff staff, List<String> teams) {
        List<Pending<List<Integer>>> numbers = teams.stream()
                .map(team -> Cleave.async(() -> staff.members(team)))
                .toList();
        List<Pending<Staff.Member>> members = numbers.stream()
                .flatMap(team -> team.await().stream())
                .map(number -> Cleave.async(() -> staff.member(number)))
                .toList();
        return text(members.stream().map(Pending::await));
    }

    static String threaded(Threads threads, Staff staff, List<String> teams) {
        List<Task<List<Staff.Member>>> members = teams.stream()
                .map(team -> threads.start(() -> members(threads, staff, team)))
                .toList();
        return text(members.stream().flatMap(team -> team.join().stream()));
    }

    private static List<Staff.Member> members(Threads threads, Staff staff, String team) {
        List<Task<Staff.Member>> members = staff.members(team).stream()
                .map(number -> threads.start(() -> staff.member(number)))
                .toList();
        return members.stream().map(Task::join).toList();
    }

    private static String text(Stream<Staff.Member> members) {
        return members.collect(groupingBy(Staff.Member::office, TreeMap::new, summingDouble(Staff.Member::hours)))
                + "\n";
    }
}
