package dev.cleave.broker.advice;

import dev.cleave.broker.report.TextTable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Predicted times beside measured ones, of changes of several application files. Not thread-safe. */
public final class Predictions {

    private static final double EQUAL =
            0.03; // two changes are equally good if their times differ by less, of the time as it was

    private final List<OfFile> files = new ArrayList<>();

    private record OfFile(Path file, double before, List<Tried> tried) {

        /** Whether no change was measured to be better than the one that was predicted to be the best. */
        boolean hasRightWinner() {
            double best = Math.min(
                    before, tried.stream().mapToDouble(Tried::measured).min().orElse(before));
            Tried predicted = tried.stream()
                    .min(Comparator.comparingDouble(each -> each.change().seconds()))
                    .orElseThrow();
            double won = predicted.change().seconds() < before ? predicted.measured() : before;
            return won - best < EQUAL * before;
        }
    }

    private record Tried(Change change, double measured) {

        double error() {
            return Math.abs(measured / change.seconds() - 1);
        }
    }

    /** Begins with a file, whose run took some seconds as it was. */
    public void begin(Path file, double seconds) {
        files.add(new OfFile(file, seconds, new ArrayList<>()));
    }

    /** Adds a change of the file, and the seconds that its run took. */
    public void add(Change change, double measured) {
        files.get(files.size() - 1).tried().add(new Tried(change, measured));
    }

    /** The median of the differences between measured and predicted times, as a part of the predicted ones; NaN without any. */
    public double medianError() {
        List<Double> errors = files.stream()
                .flatMap(file -> file.tried().stream())
                .map(Tried::error)
                .sorted()
                .toList();
        int middle = errors.size() / 2;
        return errors.isEmpty()
                ? Double.NaN
                : errors.size() % 2 == 1 ? errors.get(middle) : (errors.get(middle - 1) + errors.get(middle)) / 2;
    }

    /** The number of files of which changes were tried. */
    public int files() {
        return (int) files.stream().filter(file -> !file.tried().isEmpty()).count();
    }

    /** The number of files of which the change that was predicted to be the best is the best. */
    public int rightWinners() {
        return (int) files.stream()
                .filter(file -> !file.tried().isEmpty() && file.hasRightWinner())
                .count();
    }

    /** All of it as a table, and a last line with the sum. */
    public List<String> lines() {
        TextTable table = new TextTable("file", "before s", "predicted s", "measured s", "error", "change", "");
        int changes = 0;
        for (OfFile file : files) {
            for (Tried each : file.tried()) {
                changes++;
                boolean first = each == file.tried().get(0);
                table.add(
                        first ? String.valueOf(file.file().getFileName()) : "",
                        first ? number(file.before()) : "",
                        number(each.change().seconds()),
                        number(each.measured()),
                        String.format(Locale.ROOT, "%.0f %%", 100 * each.error()),
                        each.change().what(),
                        first ? file.hasRightWinner() ? "the best" : "not the best" : "");
            }
        }
        List<String> lines = new ArrayList<>(table.lines());
        lines.add(String.format(
                Locale.ROOT,
                "median error %.1f %% of %d predictions; the best change was predicted in %d of %d files",
                100 * medianError(),
                changes,
                rightWinners(),
                files()));
        return lines;
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.3f", value);
    }
}
