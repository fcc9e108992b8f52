package dev.cleave.broker.check;

import dev.cleave.config.ApplicationFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Collects what a check finds in one file. */
final class FindingList {

    private final ApplicationFile file;
    private final List<Finding> all = new ArrayList<>();

    FindingList(ApplicationFile file) {
        this.file = file;
        file.mistakes().forEach(mistake -> all.add(Finding.of(mistake)));
    }

    /** Adds what keeps the application from running as the file says. */
    void mistake(String key, String fact) {
        all.add(new Finding(true, file.place(key), fact));
    }

    /** Adds a setting that cannot help. */
    void warning(String key, String fact) {
        all.add(new Finding(false, file.place(key), fact));
    }

    /** Whether the file, or one that it includes, has a key. */
    boolean has(String key) {
        return file.places().containsKey(key);
    }

    /** Everything that was found, in the order of the files and of their lines. */
    List<Finding> sorted() {
        List<String> order = file.files().stream().map(Path::toString).toList();
        return all.stream()
                .distinct()
                .sorted(Comparator.comparingInt(
                                (Finding each) -> order.indexOf(each.place().file()))
                        .thenComparingInt(each -> each.place().line())
                        .thenComparingInt(each -> each.place().column()))
                .toList();
    }
}
