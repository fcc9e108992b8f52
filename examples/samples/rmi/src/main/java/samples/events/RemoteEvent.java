package samples.events;

import java.rmi.MarshalledObject;
import java.util.EventObject;

/** An event; its source is the stub of the service. */
public class RemoteEvent extends EventObject {

    private static final long serialVersionUID = 1;

    private final EventService service;
    private final String subject;
    private final long sequence;
    private final MarshalledObject<?> handback;

    public RemoteEvent(EventService service, String subject, long sequence, MarshalledObject<?> handback) {
        super(subject);
        this.service = service;
        this.subject = subject;
        this.sequence = sequence;
        this.handback = handback;
    }

    @Override
    public Object getSource() {
        return service; // that of the superclass is transient
    }

    public String subject() {
        return subject;
    }

    public long sequence() {
        return sequence;
    }

    public MarshalledObject<?> handback() {
        return handback;
    }
}
