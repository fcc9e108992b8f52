package samples.naming;

import java.rmi.RemoteException;
import java.rmi.server.UnicastRemoteObject;
import java.util.Calendar;
import java.util.Date;
import java.util.GregorianCalendar;
import java.util.Hashtable;
import java.util.TimeZone;
import javax.naming.Context;
import javax.naming.InitialContext;

public class ClockServer extends UnicastRemoteObject implements Clock {

    private static final long serialVersionUID = 1;

    protected ClockServer() throws RemoteException {
        super();
    }

    @Override
    public Date next(Date from, int days) {
        Calendar calendar = new GregorianCalendar(TimeZone.getTimeZone("UTC"));
        calendar.setTime(from);
        calendar.add(Calendar.DAY_OF_MONTH, days);
        return calendar.getTime();
    }

    @Override
    public Calendar in(TimeZone zone, Date at) {
        Calendar calendar = new GregorianCalendar(zone);
        calendar.setTime(at);
        return calendar;
    }

    public static void main(String[] args) throws Exception {
        Hashtable<String, String> environment = new Hashtable<>();
        environment.put(Context.INITIAL_CONTEXT_FACTORY, "com.sun.jndi.rmi.registry.RegistryContextFactory");
        environment.put(Context.PROVIDER_URL, "rmi://localhost:" + args[0]);
        Context context = new InitialContext(environment);
        context.rebind("clock", new ClockServer());
        System.out.println("clock: bound");
    }
}
