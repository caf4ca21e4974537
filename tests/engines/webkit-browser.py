"""A browser on WebKitGTK that is driven by WebKitWebDriver: its profile outlives it, its microphone is one that beeps.

Called with --automation FOLDER, which gets a profile and a folder of downloads. With pages and a
start.js in it, it is the native wrapper.
"""

import mimetypes
import os
import sys

import gi

gi.require_version("Gtk", "3.0")
gi.require_version("WebKit2", "4.1")
from gi.repository import Gio, GLib, Gtk, WebKit2  # noqa: E402

folder = sys.argv[-1]
manager = WebKit2.WebsiteDataManager(
    base_data_directory=os.path.join(folder, "profile"),
    base_cache_directory=os.path.join(folder, "cache"),
)
context = WebKit2.WebContext.new_with_website_data_manager(manager)
context.set_automation_allowed(True)

settings = WebKit2.Settings()
settings.set_enable_media_stream(True)
settings.set_enable_mock_capture_devices(True)
settings.set_media_playback_requires_user_gesture(False)
# MediaRecorder
features = WebKit2.Settings.get_all_features()
for index in range(features.get_length()):
    feature = features.get(index)
    if feature.get_identifier() == "MediaRecorderEnabled":
        settings.set_feature_enabled(feature, True)


content = WebKit2.UserContentManager()
pages = os.path.join(folder, "pages")


def serve_page(request):
    path = os.path.join(pages, request.get_path().lstrip("/"))
    if not os.path.isfile(path):
        path = os.path.join(pages, "index.html")
    with open(path, "rb") as page:
        data = page.read()
    stream = Gio.MemoryInputStream.new_from_bytes(GLib.Bytes.new(data))
    request.finish(stream, len(data), mimetypes.guess_type(path)[0])


def wrap():
    """As the native wrapper of iOS: the pages have a scheme of their own, and a script before theirs."""
    context.register_uri_scheme("capacitor", serve_page)
    security = context.get_security_manager()
    security.register_uri_scheme_as_secure("capacitor")
    security.register_uri_scheme_as_cors_enabled("capacitor")
    with open(os.path.join(folder, "start.js"), encoding="utf-8") as start:
        content.add_script(
            WebKit2.UserScript(
                start.read(),
                WebKit2.UserContentInjectedFrames.TOP_FRAME,
                WebKit2.UserScriptInjectionTime.START,
                None,
                None,
            )
        )


if os.path.isdir(pages):
    wrap()


def allow(_view, request):
    request.allow()
    return True


def open_view(_session=None):
    view = WebKit2.WebView(
        web_context=context,
        settings=settings,
        user_content_manager=content,
        is_controlled_by_automation=True,
    )
    view.connect("permission-request", allow)
    window = Gtk.Window()
    window.set_default_size(720, 900)
    window.add(view)
    window.show_all()
    view.connect("close", lambda _view: window.destroy())
    return view


def start_session(_context, session):
    info = WebKit2.ApplicationInfo()
    info.set_name("PawPals")
    session.set_application_info(info)
    session.connect("create-web-view", open_view)


def choose_place(download, name):
    download.set_allow_overwrite(True)
    download.set_destination("file://" + os.path.join(folder, "downloads", name))
    return True


def start_download(_context, download):
    download.connect("decide-destination", choose_place)


context.connect("automation-started", start_session)
context.connect("download-started", start_download)
Gtk.main()
