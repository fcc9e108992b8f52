package dev.cleave.lab.history;

import dev.cleave.lab.history.Checker.Invariant;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/** A defect that is put into simulated processes on purpose: a checker that does not see it does not see. */
public enum Planted {
    /** A plain call that is lost goes on at another replica. */
    LOST_PLAIN_GOES_ON("a plain call that is lost goes on elsewhere", Invariant.AT_MOST_ONCE),
    /** A third of the remembered replies are lost. */
    FORGETS_REPLIES("a third of remembered replies are lost", Invariant.LITTLE_DOUBT),
    /** Now and then a call is given the answer of another one. */
    ANSWER_OF_ANOTHER("now and then the answer of another call", Invariant.RESULT_OF_AN_EXECUTION),
    /** A call that is running is said not to have been executed. */
    RUNNING_IS_NOT("a running call is said not to be executed", Invariant.AT_MOST_ONCE, Invariant.NOT_EXECUTED_IS_NOT),
    /** A call that has ended is said not to have been executed. */
    ENDED_IS_NOT("an executed call is said not to be executed", Invariant.AT_MOST_ONCE, Invariant.NOT_EXECUTED_IS_NOT),
    /** No server is ever asked what has become of a call. */
    NEVER_RECALLS("nothing is ever recalled", Invariant.LITTLE_DOUBT),
    /** A server runs calls whose deadline has passed in its queue. */
    RUNS_EXPIRED("a server runs expired calls", Invariant.EXPIRED_IS_NOT_RUN),
    /** A server runs a call of which it has just said that its deadline has passed. */
    EXPIRED_YET_RUN("a call that was refused as expired runs", Invariant.EXPIRED_IS_NOT_RUN),
    /** A call is sent again up to sixty times. */
    SIXTY_ATTEMPTS("sixty attempts in the place of three", Invariant.FEW_ATTEMPTS),
    /** A call begins after its caller was told that it never will. */
    BEGINS_AFTER_ALL(
            "a call begins after its caller was told it never will",
            Invariant.AT_MOST_ONCE,
            Invariant.NOT_EXECUTED_IS_NOT),
    /** A call whose connection is lost is said not to have been executed. */
    LOST_IS_NOT("a lost call is said not to be executed", Invariant.NOT_EXECUTED_IS_NOT),
    /** Now and then a request is taken twice. */
    REQUEST_TWICE("now and then a request is executed twice", Invariant.AT_MOST_ONCE),
    /** A request that was refused for overload runs. */
    REFUSED_YET_RUN("a call that was refused for overload runs", Invariant.AT_MOST_ONCE, Invariant.NOT_EXECUTED_IS_NOT),
    /** A call is answered before what it does is done. */
    ANSWERED_AHEAD("a call is answered before it is written", Invariant.WRITTEN, Invariant.ORDER),
    /** A call reads, and writes later what it has read meanwhile: two at once are one. */
    LOST_UPDATE("of two calls at once one is overwritten", Invariant.WRITTEN),
    /** Now and then a result is that of the call before it, or of the state before it. */
    STALE_RESULT(
            "now and then a result is that of the call before",
            Invariant.WRITTEN,
            Invariant.ORDER,
            Invariant.RESULT_OF_AN_EXECUTION),
    /** A recall is answered with what is known of the next call. */
    RECALLS_THE_NEXT("a recall is answered for the next call", Invariant.RESULT_OF_AN_EXECUTION),
    /** A client says that it has outcomes which it has not. */
    SETTLES_TOO_MUCH("a client says that it has what it has not", Invariant.LITTLE_DOUBT),
    /** A call whose outcome is asked for is executed again. */
    RECALL_RUNS_AGAIN("a call that is recalled is executed again", Invariant.AT_MOST_ONCE),
    /** Deadlines are not kept by clients. */
    NO_DEADLINE("a client does not keep deadlines", Invariant.ONE_OUTCOME_IN_TIME),
    /** A late answer ends a call that has ended. */
    ENDS_TWICE("a call that has ended ends again", Invariant.ONE_OUTCOME_IN_TIME),
    /** A worker whose caller has gone does not come back. */
    LOSES_WORKERS("a worker whose caller is gone is lost", Invariant.LIVENESS),
    /** A replica that has lost the broker does not register again. */
    REGISTERS_ONCE("a replica does not register again", Invariant.LIVENESS),
    /** A call that was lost, sent again and refused is said not to have been executed. */
    FORGETS_DOUBT("a lost call that is refused elsewhere is \"not executed\"", Invariant.NOT_EXECUTED_IS_NOT),
    /** A call that is sent again gets its whole deadline again. */
    DEADLINE_ANEW("a call that is sent again has all its time again", Invariant.EXPIRED_IS_NOT_RUN),
    /** A broker that was frozen reports no replicas, and clients believe it. */
    BELIEVES_EMPTY("a frozen broker's empty set is believed", Invariant.LIVENESS),
    /** A part of a large value arrives twice. */
    CHUNK_TWICE("a part of a large value comes twice", Invariant.RESULT_OF_AN_EXECUTION, Invariant.LITTLE_DOUBT),
    /** A part of a large value is lost. */
    CHUNK_DROPPED("a part of a large value is dropped", Invariant.RESULT_OF_AN_EXECUTION, Invariant.LITTLE_DOUBT),
    /** Now and then a callback runs twice. */
    CALLBACK_TWICE("now and then a callback runs twice", Invariant.AT_MOST_ONCE),
    /** Now and then a one-way call is executed again. */
    ONE_WAY_TWICE("now and then a one-way call runs twice", Invariant.AT_MOST_ONCE),
    /** The second of two calls of a group is sent first. */
    GROUP_ORDER("calls of one group change places", Invariant.ORDER, Invariant.WRITTEN),
    /** The release of a reference by a peer is counted twice. */
    RELEASES_TWICE("releases of references count twice", Invariant.HELD_LIVES),
    /** An object is given back when it has been called, though its reference is still held. */
    RELEASED_EARLY("a reference is released early", Invariant.HELD_LIVES),
    /** Callers go on calling a replica whose name another process has taken. */
    DISPLACED_SERVES("a displaced replica goes on serving", Invariant.DISPLACED_IS_LEFT),
    /** A call that is running, and is given up, is said not to have been executed. */
    CANCELLED_IS_NOT(
            "a cancel of a running call is answered \"not executed\"",
            Invariant.NOT_EXECUTED_IS_NOT,
            Invariant.AT_MOST_ONCE);

    private final String what;
    private final Set<Invariant> breaks;

    Planted(String what, Invariant first, Invariant... or) {
        this.what = what;
        this.breaks = Collections.unmodifiableSet(EnumSet.of(first, or));
    }

    /** The defect in a few words. */
    public String what() {
        return what;
    }

    /**
     * Whether it is of something that simulated clusters do not have: parts of values, references, one-way calls, groups, calls that
     * are given up, two processes of one name.
     */
    public boolean isOfNodes() {
        return switch (this) {
            case CHUNK_TWICE,
                    CHUNK_DROPPED,
                    CALLBACK_TWICE,
                    ONE_WAY_TWICE,
                    GROUP_ORDER,
                    RELEASES_TWICE,
                    RELEASED_EARLY,
                    DISPLACED_SERVES,
                    CANCELLED_IS_NOT -> true;
            default -> false;
        };
    }

    /** The promises one of which it breaks. */
    public Set<Invariant> breaks() {
        return breaks;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
