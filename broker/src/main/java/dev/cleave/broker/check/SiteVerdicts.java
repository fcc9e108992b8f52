package dev.cleave.broker.check;

import static java.util.Objects.requireNonNull;

import java.util.List;

/**
 * The verdicts of the agent on the remote calls of an application.
 *
 * @param sites all remote calls in it, those of helpers once
 */
public record SiteVerdicts(List<Site> sites) {

    /** Says nothing: the agent was not asked. */
    public static final SiteVerdicts NONE = new SiteVerdicts(List.of());

    /** Copies its component. */
    public SiteVerdicts {
        sites = List.copyOf(sites);
    }

    /**
     * One remote call in the code of the application.
     *
     * @param call the simple name of the interface, a dot, and the name of the method
     * @param place the class and the line
     * @param isSequential whether it stays where it is written
     * @param reason why it stays; empty if that is not known
     */
    public record Site(String call, String place, boolean isSequential, String reason) {

        /** Checks its components. */
        public Site {
            requireNonNull(call, "call");
            requireNonNull(place, "place");
            requireNonNull(reason, "reason");
        }
    }

    /** Returns the calls of a method. */
    List<Site> of(String call) {
        return sites.stream().filter(site -> site.call().equals(call)).toList();
    }
}
