package dev.cleave.client;

/**
 * The stage of a call. One thread at a time moves it: the thread that sends the call, then the event thread that takes
 * it out of its link's table, then the task that the event thread hands it to.
 *
 * <pre>
 *   HOME ──► SENT ──────────────► ASKING ◄──┐         HOME ◄── SPENT ◄── SENT
 *             │ │                   │       │
 *             │ └────► WAITING ◄────┘       │
 *             │          ▲  │               │
 *             └► MOVED ──┘  └─► SENT_AGAIN ─┘   and from SENT_AGAIN wherever SENT leads, but to SPENT
 * </pre>
 *
 * The end of a call is no stage: its outcome may come at any stage, from any thread; later steps find that it has
 * ended.
 */
enum Stage {
    /** The call is being written, or had no way. */
    HOME,
    /** The call is on the first way that was found. */
    SENT,
    /** That way is gone; its server is asked for the outcome over another one. */
    ASKING,
    /** The call is on no way, and waits until it may be sent again. */
    WAITING,
    /** Its server has not begun it, and gave it to a replica that it has not been sent to yet. */
    MOVED,
    /** The call is on another way than the first. */
    SENT_AGAIN,
    /** Its caller has the result and has released the call; its object may stand for another call. */
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
