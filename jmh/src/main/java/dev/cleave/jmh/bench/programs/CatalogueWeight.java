package dev.cleave.jmh.bench.programs;

import org.jspecify.annotations.Nullable;

/** The weight of all items of a catalogue, which is read page by page. */
final class CatalogueWeight {

    private CatalogueWeight() {}

    static String weigh(Catalogue catalogue) {
        double total = 0;
        int pages = 0;
        @Nullable String cursor = "";
        while (cursor != null) {
            Catalogue.Page page = catalogue.page(cursor);
            for (long item : page.items()) {
                total += catalogue.weight(item);
            }
            pages++;
            cursor = page.next();
        }
        return pages + " pages, " + total + " kg\n";
    }
}
