package samples.events;

import java.io.Serializable;

/** What a listener gets when it is registered. */
public class EventRegistration implements Serializable {

    private static final long serialVersionUID = 1;

    protected EventService source;
    protected Lease lease;
    protected long number;

    public EventRegistration(EventService source, Lease lease, long number) {
        this.source = source;
        this.lease = lease;
        this.number = number;
    }

    public EventService source() {
        return source;
    }

    public Lease lease() {
        return lease;
    }

    public long number() {
        return number;
    }
}
