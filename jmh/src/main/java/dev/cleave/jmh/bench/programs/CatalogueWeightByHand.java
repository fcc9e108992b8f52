package dev.cleave.jmh.bench.programs;

import dev.cleave.Cleave;
import dev.cleave.Pending;
import dev.cleave.jmh.bench.programs.Threads.Task;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@link CatalogueWeight} by hand: the next page is asked for before the items of this one. */
final class CatalogueWeightByHand {

    private CatalogueWeightByHand() {}

    static String staged(Catalogue catalogue) {
        int pages = 0;
        List<Pending<Double>> weights = new ArrayList<>();
        Pending<Catalogue.Page> coming = Cleave.async(() -> catalogue.page(""));
        while (true) {
            Catalogue.Page page = coming.await();
            pages++;
            @Nullable String next = page.next();
            if (next != null) {
                coming = Cleave.async(() -> catalogue.page(next));
            }
            for (long item : page.items()) {
                weights.add(Cleave.async(() -> catalogue.weight(item)));
            }
            if (next == null) {
                break;
            }
        }
        double total = 0;
        for (Pending<Double> weight : weights) {
            total += weight.await();
        }
        return pages + " pages, " + total + " kg\n";
    }

    static String threaded(Threads threads, Catalogue catalogue) {
        int pages = 0;
        List<Task<Double>> weights = new ArrayList<>();
        @Nullable String cursor = "";
        while (cursor != null) {
            Catalogue.Page page = catalogue.page(cursor);
            for (long item : page.items()) {
                weights.add(threads.start(() -> catalogue.weight(item)));
            }
            pages++;
            cursor = page.next();
        }
        double total = 0;
        for (Task<Double> weight : weights) {
            total += weight.join();
        }
        return pages + " pages, " + total + " kg\n";
    }
}
