package samples.naming;

import java.rmi.NotBoundException;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.util.Calendar;
import java.util.Date;
import java.util.TimeZone;
import javax.naming.Context;
import javax.naming.InitialContext;
import javax.naming.NameClassPair;
import javax.naming.NameNotFoundException;
import javax.naming.NamingEnumeration;

public class ClockClient {

    public static void main(String[] args) throws Exception {
        Context context = new InitialContext();
        Clock clock = (Clock) context.lookup("rmi://localhost:" + args[0] + "/clock");
        Date start = new Date(0);
        System.out.println(clock.next(start, 31).getTime() / 86_400_000 + " days");
        Calendar there = clock.in(TimeZone.getTimeZone("Asia/Tokyo"), start);
        System.out.println("hour " + there.get(Calendar.HOUR_OF_DAY) + " in "
                + there.getTimeZone().getID());
        try {
            context.lookup("rmi://localhost:" + args[0] + "/nobody");
        } catch (NameNotFoundException e) {
            System.out.println("not found: nobody");
        }
        try {
            LocateRegistry.getRegistry("localhost", Integer.parseInt(args[0])).lookup("nobody");
        } catch (NotBoundException e) {
            System.out.println("not bound: " + e.getMessage());
        }
        boolean listed = false;
        NamingEnumeration<NameClassPair> names = context.list("rmi://localhost:" + args[0]);
        while (names.hasMore()) {
            listed |= names.next().getName().equals("clock");
        }
        System.out.println("listed " + listed);
        try {
            LocateRegistry.getRegistry("localhost", 1).list();
        } catch (RemoteException e) {
            System.out.println("nobody at port 1: " + e.getClass().getName());
        }
    }
}
