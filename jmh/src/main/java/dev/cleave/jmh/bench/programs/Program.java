package dev.cleave.jmh.bench.programs;

import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.IntStream;

/** Ordinary programs. Each gives a text, which is the same however the program is written. */
public enum Program {
    /** A report over customers, their orders and the lines of these: N + 1 calls, three times over. */
    N_PLUS_ONE(
            s -> CustomerReport.report(s.shop(), s.tax(), 15),
            s -> CustomerReportByHand.staged(s.shop(), s.tax(), 15),
            (t, s) -> CustomerReportByHand.threaded(t, s.shop(), s.tax(), 15)),
    /** A recursive walk of a tree. */
    TREE_WALK(
            s -> new FolderSize(s.folders()).of("/a"),
            s -> FolderSizeByHand.staged(s.folders(), "/a"),
            (t, s) -> FolderSizeByHand.threaded(t, s.folders(), "/a")),
    /** Pages behind a cursor. */
    PAGING(
            s -> CatalogueWeight.weigh(s.catalogue()),
            s -> CatalogueWeightByHand.staged(s.catalogue()),
            (t, s) -> CatalogueWeightByHand.threaded(t, s.catalogue())),
    /** A join of two services. */
    JOIN(
            s -> SalesByRegion.ofDay(s.orders(), s.customers(), 3),
            s -> SalesByRegionByHand.staged(s.orders(), s.customers(), 3),
            (t, s) -> SalesByRegionByHand.threaded(t, s.orders(), s.customers(), 3)),
    /** Ten different calls. */
    DASHBOARD(
            s -> new Dashboard(s.accounts(), s.billing(), s.messages(), s.press()).page(23),
            s -> new DashboardByHand(s.accounts(), s.billing(), s.messages(), s.press()).staged(23),
            (t, s) -> new DashboardByHand(s.accounts(), s.billing(), s.messages(), s.press()).threaded(t, 23)),
    /** Breadth-first search with a set of what was visited. */
    BREADTH_FIRST(
            s -> SiteMap.from(s.web(), 0),
            s -> SiteMapByHand.staged(s.web(), 0),
            (t, s) -> SiteMapByHand.threaded(t, s.web(), 0)),
    /** Up to three attempts for each item. */
    RETRY(
            s -> Quotes.of(s.supplier(), 90),
            s -> QuotesByHand.staged(s.supplier(), 90),
            (t, s) -> QuotesByHand.threaded(t, s.supplier(), 90)),
    /** A cache in a map, behind an interface. */
    CACHE(
            s -> new Statement(s.ledger(), new CachedRates(s.bank())).of(80),
            s -> StatementByHand.staged(s.ledger(), s.bank(), 80),
            (t, s) -> StatementByHand.threaded(t, s.ledger(), s.bank(), 80)),
    /** Nested streams. */
    STREAMS(
            s -> OfficeHours.of(s.staff(), teams()),
            s -> OfficeHoursByHand.staged(s.staff(), teams()),
            (t, s) -> OfficeHoursByHand.threaded(t, s.staff(), teams())),
    /** All pairs of some items. */
    ALL_PAIRS(
            s -> ClosestPairs.of(s.compare(), texts()),
            s -> ClosestPairsByHand.staged(s.compare(), texts()),
            (t, s) -> ClosestPairsByHand.threaded(t, s.compare(), texts())),
    /** Records that are read, completed, and written in their order. */
    ETL(
            s -> WarehouseLoad.load(s.source(), s.places(), s.warehouse()),
            s -> WarehouseLoadByHand.staged(s.source(), s.places(), s.warehouse()),
            (t, s) -> WarehouseLoadByHand.threaded(t, s.source(), s.places(), s.warehouse())),
    /** k-means whose distances are measured somewhere else. */
    K_MEANS(
            s -> new Clusters(s.distances(), points()).find(3, 3),
            s -> new ClustersByHand(s.distances(), points()).staged(3, 3),
            (t, s) -> new ClustersByHand(s.distances(), points()).threaded(t, 3, 3)),
    /** Invoices over lists within records, by ordinary methods, with a handler for each buyer. */
    INVOICES(
            s -> new Invoices(s.trade()).of(buyers()),
            s -> InvoicesByHand.staged(s.trade(), buyers()),
            (t, s) -> InvoicesByHand.threaded(t, s.trade(), buyers()));

    private final Function<Services, String> written;
    private final Function<Services, String> staged;
    private final Threaded threaded;

    Program(Function<Services, String> written, Function<Services, String> staged, Threaded threaded) {
        this.written = written;
        this.staged = staged;
        this.threaded = threaded;
    }

    /** A program with threads. */
    @FunctionalInterface
    private interface Threaded {

        String run(Threads threads, Services services);
    }

    /** Its name in tables and records. */
    public String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Its text, computed in this process without a remote call. */
    public String expected() {
        return written(Served.services());
    }

    /** Its text when run as people write it. */
    String written(Services services) {
        return written.apply(services);
    }

    /** Its text when written by hand, in stages. */
    String staged(Services services) {
        return staged.apply(services);
    }

    /** Its text when run with a thread for each call. */
    String threaded(Threads threads, Services services) {
        return threaded.run(threads, services);
    }

    private static List<String> teams() {
        return IntStream.range(0, 12).mapToObj(i -> "team " + (char) ('a' + i)).toList();
    }

    private static List<Integer> buyers() {
        return IntStream.rangeClosed(1, 20).boxed().toList();
    }

    private static List<String> texts() {
        return IntStream.range(0, 16)
                .mapToObj(i -> Integer.toString(i * 7919 + 1000, 3).repeat(3))
                .toList();
    }

    private static double[][] points() {
        return IntStream.range(0, 24)
                .mapToObj(i -> new double[] {i * 37 % 50, i * 53 % 41, i * 11 % 29})
                .toArray(double[][]::new);
    }
}
