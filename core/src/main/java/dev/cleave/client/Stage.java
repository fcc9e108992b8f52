package dev.cleave.client;

/**
 * Where a call is in its life. One thread at a time moves it: the one that sends it, then the event thread of the link that
 * has taken it out of its table, then the task that was given it there.
 *
 * <pre>
 *   HOME ──► SENT ──────────────► ASKING ◄──┐         HOME ◄── SPENT ◄── SENT
 *             │ │                   │       │
 *             │ └────► WAITING ◄────┘       │
 *             │          ▲  │               │
 *             └► MOVED ──┘  └─► SENT_AGAIN ─┘   and from SENT_AGAIN wherever SENT leads, but to SPENT
 * </pre>
 *
 * The end of a call is no stage: its outcome may come at any of them, from any thread, and whatever comes later finds that it
 * has ended.
 */
enum Stage {
    /** It is written, or there was no way for it. */
    HOME,
    /** It takes the first way that was found for it. */
    SENT,
    /** That way is gone; its server is asked over another one what has become of it. */
    ASKING,
    /** It is on no way, and waits until it may be sent again. */
    WAITING,
    /** Its server has not begun it, and has given it to a replica that it has not been sent to yet. */
    MOVED,
    /** It takes another way than those that were sent before and after it. */
    SENT_AGAIN,
    /** It has its result, which nobody looks at any more; its object may stand for another call. */
    SPENT;

    /** Whether a call can come from here to {@code next}. */
    boolean leadsTo(Stage next) {
        return switch (this) {
            case HOME -> next == SENT;
            case SENT -> next == ASKING || next == WAITING || next == MOVED || next == SPENT;
            case SENT_AGAIN, ASKING -> next == ASKING || next == WAITING || next == MOVED;
            case WAITING -> next == WAITING || next == ASKING || next == SENT_AGAIN;
            case MOVED -> next == WAITING || next == SENT_AGAIN;
            case SPENT -> next == HOME;
        };
    }
}
